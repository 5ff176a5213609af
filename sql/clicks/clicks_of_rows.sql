-- The most clicks of a staged row that counts them, and how many rows count none.
with rows_of_file as (
    select
        staged.line_number,
        max(
            case when staged.event_action <> 'impression' then staged.event_count else 0 end
        ) as clicks
    from staged
    group by staged.line_number
)

select
    coalesce(max(rows_of_file.clicks), 0) as most,
    count(case when rows_of_file.clicks = 0 then 1 end) as unclicked
from rows_of_file
