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
                        cast(json_extract(source_rows.text_line, '$._source') as varchar),
                        source_rows.text_line
                    )
        end as event
    from source_rows
    where regexp_matches(source_rows.text_line, '[^\p{Zs}]')
)

select
    objects.line_number,
    case
        when regexp_matches(objects.event, '^\s*\{')
            then
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
        else cast([] as varchar[])
    end as fields
from objects
where
    not coalesce(regexp_matches(objects.event, '^\s*\{'), false)
    or json_exists(objects.event, '$.action_name')
    or not (json_exists(objects.event, '$.index') or json_exists(objects.event, '$.create'))
