-- The events that a row with counts stands for: its impressions, one if it does not
-- count them, its clicks, and its other actions, in the order of the action and its
-- count before the fields of the row. Whether a document was clicked is a count, too;
-- an empty one is none.
with counted_rows as (
    select
        line_number, fields,
        case
            when $impressions_field is null then '1'
            else coalesce(trim(fields[$impressions_field]), '')
        end as impressions,
        list_concat(['click'], cast($action_names as varchar[])) as actions,
        list_concat([$clicks_field], cast($action_fields as integer[])) as action_fields
    from source_rows
),

actions as (
    select
        line_number, fields,
        unnest(actions) as event_action,
        coalesce(trim(fields[unnest(action_fields)]), '') as event_count
    from counted_rows
)

select
    line_number,
    list_concat(['impression', impressions], fields) as fields
from counted_rows
union all
select
    line_number,
    list_concat(
        [
            event_action,
            case lower(event_count)
                when 'true' then '1'
                when 'false' then '0'
                when '' then '0'
                else event_count
            end
        ],
        fields
    ) as fields
from actions
