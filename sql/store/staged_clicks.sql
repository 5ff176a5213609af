-- Rows of a log of events with named columns; the parameters give the number of
-- each field. A position is null unless it is a whole number from 1 to 1e9, or 0 for
-- none where $is_unplaced allows that; a count is null unless it is a whole number from
-- 0, and a row without a count is one event. The weight of an action that nobody
-- weighed is null.
with texts as (
    select
        line_number,
        len(fields) - $added_fields as field_count,
        fields[$query_id_field] as query_id,
        fields[$doc_id_field] as doc_id,
        trim(fields[$action_field], ' ') as event_action,
        trim(fields[$position_field], ' ') as position_text,
        trim(fields[$time_field]) as time_text,
        cast(fields[$search_id_field] as varchar) as search_id,
        case when $count_field is null then '1' else trim(fields[$count_field], ' ') end
            as count_text
    from source_rows
),

numbers as (
    select
        *,
        case
            when regexp_full_match(position_text, $number_pattern)
                then try_cast(position_text as double)
        end as position_number,
        case
            when regexp_full_match(count_text, $number_pattern) then try_cast(count_text as double)
        end as count_number
    from texts
)

select
    numbers.* exclude (position_number, count_number),
    case
        when count_number between 0 and 1e9 and count_number = trunc(count_number)
            then cast(count_number as bigint)
    end as event_count,
    case
        when position_number between 1 and 1e9 and position_number = trunc(position_number)
            then cast(position_number as integer)
        when $is_unplaced and coalesce(position_text, '') = '' then 0
    end as position,
    action_number, weight
from numbers
left join action_words using (event_action)
-- What is ignored may lack all else, and what never happened is no event.
where coalesce(weight, 1) > 0 and coalesce(count_number, 1) <> 0
