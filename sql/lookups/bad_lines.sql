-- The first faults of a file: for a bad line, the first check that it breaks,
-- and how many of the next bad lines have the same fault in the same words; if
-- it is more than one, they have no row of their own. And the number of all bad
-- lines.
with faults as (
    select
        bad_lines.line_number,
        arg_min(bad_lines.check_name, bad_lines.place) as check_name,
        arg_min(bad_lines.fault, bad_lines.place) as fault,
        count(*) over () as bad_line_count
    from bad_lines
    group by bad_lines.line_number
),

marked as (
    select
        faults.*,
        coalesce(
            faults.fault != lag(faults.fault) over (order by faults.line_number),
            true
        ) as is_first
    from faults
),

numbered as (
    select
        marked.*,
        count_if(marked.is_first) over (order by marked.line_number) as fault_number
    from marked
),

sized as (
    select
        numbered.*,
        count(*) over (partition by numbered.fault_number) as size
    from numbered
)

select
    sized.line_number, sized.check_name,
    case when sized.size > 2 then sized.size - 1 else 0 end as more,
    sized.bad_line_count
from sized
where sized.is_first or sized.size = 2
order by sized.line_number
limit $shown
