-- The events that a row with counts stands for: its impressions, one if it does not
-- count them, its clicks, and its other actions, in the order of the action and its
-- count before the fields of the row. Whether a document was clicked is a count, too;
-- an empty one is none.
with counted_rows as (
    select
        source_rows.line_number, source_rows.fields,
        case
            when $impressions_field is null then '1'
            else coalesce(trim(source_rows.fields[$impressions_field]), '')
        end as impressions,
        list_concat(['click'], cast($action_names as varchar[])) as actions,
        list_concat([$clicks_field], cast($action_fields as integer[])) as action_fields
    from source_rows
),

actions as (
    select
        counted_rows.line_number, counted_rows.fields,
        unnest(counted_rows.actions) as event_action,
        counted_rows.fields[unnest(counted_rows.action_fields)] as event_count
    from counted_rows
)

select
    counted_rows.line_number,
    list_concat(['impression', counted_rows.impressions], counted_rows.fields) as fields
from counted_rows
union all
select
    actions.line_number,
    list_concat(
        [
            actions.event_action,
            case lower(coalesce(trim(actions.event_count), ''))
                when 'true' then '1'
                when 'false' then '0'
                when '' then '0'
                else trim(actions.event_count)
            end
        ],
        actions.fields
    ) as fields
from actions
