-- Events as UBI's index ubi_events has them, as sql/read/ubi_events.sql reads
-- them, each line parsed once. A line of another form is an event without
-- anything.
with events as (

    select
        coalesce(
            objects._source,
            {
                'query_id': objects.query_id,
                'action_name': objects.action_name,
                'timestamp': objects.timestamp,
                'event_attributes': objects.event_attributes
            }
        ) as event

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

)

select
    events.event.query_id,
    events.event.event_attributes.object.object_id as doc_id,
    events.event.action_name as event_action,
    events.event.event_attributes.position.ordinal as position,
    events.event.timestamp as time

from events
