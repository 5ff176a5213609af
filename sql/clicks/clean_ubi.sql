-- Events as UBI's index ubi_events has them, as sql/read/ubi_events.sql reads
-- them, each line parsed once. A line of another form is an event without
-- anything; so is one with a _source, which clean_ubi_hits.sql reads.
select
    objects.query_id,
    objects.event_attributes.object.object_id as doc_id,
    case when objects._source is null then objects.action_name end
        as event_action,
    objects.event_attributes.position.ordinal as position,
    objects.timestamp as time

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
            '_source': 'VARCHAR'
        }
    ) as objects
