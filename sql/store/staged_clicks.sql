-- Rows of a log of events with named columns; the parameters give the number of
-- each field. A position is null unless it is a whole number from 1 to 1e9, or 0 for
-- none where $is_unplaced allows that; a count is null unless it is a whole number from
-- 0, and a row without a count is one event. The weight of an action that nobody
-- weighed is null.
with fields as (
    select
        source_rows.line_number,
        len(source_rows.fields) - $added_fields as field_count,
        source_rows.fields[$query_field] as query_id,
        source_rows.fields[$doc_field] as doc_id,
        trim(source_rows.fields[$action_field], ' ') as event_action,
        trim(source_rows.fields[$position_field], ' ') as position_text,
        trim(source_rows.fields[$known_time_field]) as time_text,
        cast(source_rows.fields[$search_id_field] as varchar) as search_id,
        case
            when $count_field is null then '1'
            else trim(source_rows.fields[$count_field], ' ')
        end as count_text
    from source_rows
),

numbers as (
    select
        fields.*,
        case
            when regexp_full_match(fields.position_text, $number_pattern)
                then try_cast(fields.position_text as double)
        end as position_number,
        case
            when regexp_full_match(fields.count_text, $number_pattern)
                then try_cast(fields.count_text as double)
        end as count_number
    from fields
)

select
    numbers.* exclude (position_number, count_number),  -- noqa: RF03
    case
        when
            numbers.count_number between 0 and 1e9
            and numbers.count_number = trunc(numbers.count_number)
            then cast(numbers.count_number as bigint)
    end as event_count,
    case
        when
            numbers.position_number between 1 and 1e9
            and numbers.position_number = trunc(numbers.position_number)
            then cast(numbers.position_number as integer)
        when $is_unplaced and coalesce(numbers.position_text, '') = '' then 0
    end as position,
    action_words.action_number, action_words.weight
from numbers
left join action_words using (event_action)
-- What is ignored may lack all else, and what never happened is no event.
where coalesce(action_words.weight, 1) > 0 and coalesce(numbers.count_number, 1) <> 0
