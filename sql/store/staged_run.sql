-- Rows of a run file with named columns; the parameters give the number of each
-- field. A number that is not written as one, or that no double can hold, is
-- null.
with fields as (
    select
        source_rows.line_number,
        len(source_rows.fields) - $added_fields as field_count,
        source_rows.fields[$query_field] as query_id,
        source_rows.fields[$doc_field] as doc_id,
        trim(source_rows.fields[$score_field], ' ') as score_text,
        trim(source_rows.fields[$rank_field], ' ') as rank_text,
        source_rows.fields[$run_field] as run
    from source_rows
),

numbers as (
    select
        fields.*,
        case
            when regexp_full_match(fields.score_text, $number_pattern)
                then try_cast(fields.score_text as double)
            -- Only a case looks at few rows; and, or look at all.
            when regexp_full_match(fields.score_text, '(?i)[+-]?(inf|infinity)')
                then try_cast(fields.score_text as double)
        end as score,
        case
            when regexp_full_match(fields.rank_text, '[0-9]{1,15}([.]0+)?')
                then try_cast(fields.rank_text as bigint)
        end as rank
    from fields
)

select
    numbers.* replace (
        case
            when isinf(numbers.score)
                then
                    case
                        when not regexp_matches(numbers.score_text, '[0-9]') then numbers.score
                    end
            -- A negative zero becomes a plain one.
            when numbers.score = 0
                then case when not regexp_matches(numbers.score_text, '^[^eE]*[1-9]') then 0 end
            else numbers.score
        end as score
    )
from numbers
