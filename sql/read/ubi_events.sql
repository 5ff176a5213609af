-- Events as UBI's index ubi_events has them, an object on each line, or in the
-- _source of one: search, object, action, position and time. A line of another
-- form has no fields; what OpenSearch writes between objects is omitted.
with objects as (
    select
        source_rows.line_number,
        case
            when json_valid(source_rows.text_line)
                then
                    coalesce(
                        json_extract(source_rows.text_line, '$._source'),
                        cast(source_rows.text_line as json)
                    )
        end as event
    from source_rows
    where trim(source_rows.text_line) <> ''
)

select
    objects.line_number,
    case
        when json_type(objects.event) <> 'OBJECT' or objects.event is null
            then cast([] as varchar[])
        else
            list_transform(
                json_extract_string(
                    objects.event,
                    [
                        '$.query_id',
                        '$.event_attributes.object.object_id',
                        '$.action_name',
                        '$.event_attributes.position.ordinal',
                        '$.timestamp'
                    ]
                ),
                lambda field: coalesce(field, '')  -- noqa: RF03
            )
    end as fields
from objects
where
    objects.event is null
    or json_type(objects.event) <> 'OBJECT'
    or json_exists(objects.event, '$.action_name')
    or not (json_exists(objects.event, '$.index') or json_exists(objects.event, '$.create'))
