-- One row is a column of staged rows that has values: how many, and how many of
-- these are numbers.
with cells as (
    select
        columns.measure, columns.place,
        trim(staged.fields[columns.place], ' ') as cell
    from staged
    cross join (
        select
            unnest($measures) as measure,
            unnest($places) as place
    ) as columns
)

select
    measure, place,
    count(*) as filled,
    count(*) filter (
        regexp_full_match(
            if($decimal = ',', replace(replace(cell, '.', ''), ',', '.'), cell), $number_pattern
        )
    ) as numbers
from cells
where cell <> ''
group by all
order by place
