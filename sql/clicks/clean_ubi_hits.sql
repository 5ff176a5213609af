-- Events as hits of UBI's index ubi_events, each in the _source of a line that is
-- parsed once; clean_ubi.sql reads those without. A line of another form is an
-- event without anything.
select
    _source.query_id,
    _source.event_attributes.object.object_id as doc_id,
    _source.action_name as event_action,
    _source.event_attributes.position.ordinal as position,
    _source.timestamp as time

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
    )
