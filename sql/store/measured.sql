-- Staged values with a row each: of rows that name a measure, or of the cells of columns
-- ($measures at $places). A query such as all is not one: its row has a mean. Of rows that
-- name no run, the run is named otherwise. A value is null unless it is a finite number.
with cells as (
    select
        staged.line_number, staged.query_id, staged.run, staged.measure,
        trim(staged.value_text, ' ') as value_text
    from staged
    where $places is null
    union all
    select
        staged.line_number, staged.query_id, staged.run, columns.measure,
        trim(staged.fields[columns.place], ' ') as value_text
    from staged
    cross join (
        select
            unnest($measures) as measure,
            unnest($places) as place
    ) as columns
    where coalesce(trim(staged.fields[columns.place], ' '), '') <> ''
),

numbers as (
    select
        *,
        case
            when coalesce($decimal, '.') <> ',' then value_text
            when regexp_full_match(value_text, $comma_number_pattern)
                then replace(replace(value_text, '.', ''), ',', '.')
        end as digits
    from cells
)

select
    line_number, query_id,
    coalesce(nullif(run, ''), $run) as run,
    measure, value_text,
    coalesce(regexp_full_match(digits, $number_pattern), false) as is_number,
    case
        when regexp_full_match(digits, $number_pattern) and isfinite(try_cast(digits as double))
            then try_cast(digits as double)
    end as value
from numbers
where not list_contains($means, lower(query_id))
