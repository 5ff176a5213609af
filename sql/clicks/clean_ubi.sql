-- Events as UBI's index ubi_events has them, or as hits of it, each in the _source of
-- a line; as sql/read/ubi_events.sql reads them, but each line is parsed once. A line
-- of another form is an event without anything.
select
    case
        when objects._source is null then objects.query_id
        else objects._source.query_id
    end as query_id,
    case
        when objects._source is null then objects.event_attributes.object.object_id
        else objects._source.event_attributes.object.object_id
    end as doc_id,
    case
        when objects._source is null then objects.action_name
        else objects._source.action_name
    end as event_action,
    case
        when objects._source is null then objects.event_attributes.position.ordinal
        else objects._source.event_attributes.position.ordinal
    end as position,
    case
        when objects._source is null then objects.timestamp
        else objects._source.timestamp
    end as time
from
    read_json(
        $path,
        format = 'newline_delimited',
        records = true,
        auto_detect = false,
        compression = 'uncompressed',
        hive_partitioning = false,
        ignore_errors = true,
        columns = {
            'query_id': 'VARCHAR',
            'action_name': 'VARCHAR',
            'timestamp': 'VARCHAR',
            'event_attributes':
            'STRUCT('
            '"object" STRUCT(object_id VARCHAR),'
            '"position" STRUCT(ordinal VARCHAR)'
            ')',
            '_source':
            'STRUCT('
            'query_id VARCHAR,'
            'action_name VARCHAR,'
            '"timestamp" VARCHAR,'
            'event_attributes STRUCT('
            '"object" STRUCT(object_id VARCHAR),'
            '"position" STRUCT(ordinal VARCHAR)'
            '))'
        }
    ) as objects
