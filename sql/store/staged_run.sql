-- Rows of a run file with named columns; the parameters give the number of each
-- field. A number that is not written as one, or that no double can hold, is
-- null.
with texts as (
    select
        line_number,
        len(fields) - $added_fields as field_count,
        fields[$query_id_field] as query_id,
        fields[$doc_id_field] as doc_id,
        trim(fields[$score_field], ' ') as score_text,
        trim(fields[$rank_field], ' ') as rank_text,
        fields[$run_field] as run
    from source_rows
),

numbers as (
    select
        *,
        case
            when regexp_full_match(score_text, $number_pattern) then try_cast(score_text as double)
            -- Only a case looks at few rows; and, or look at all.
            when regexp_full_match(score_text, '(?i)[+-]?(inf|infinity)')
                then try_cast(score_text as double)
        end as score,
        case
            when regexp_full_match(rank_text, '[0-9]{1,15}([.]0+)?')
                then try_cast(rank_text as bigint)
        end as rank
    from texts
)

select
    * replace (
        case
            when isinf(score) then case when not regexp_matches(score_text, '[0-9]') then score end
            -- A negative zero becomes a plain one.
            when score = 0 then case when not regexp_matches(score_text, '^[^eE]*[1-9]') then 0 end
            else score
        end as score
    )
from numbers
