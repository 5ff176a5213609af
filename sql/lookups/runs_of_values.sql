-- One row is a run that staged values are of, in the order of the file.
select
    run,
    list(distinct measure order by measure) as measures,
    count(*) as value_count,
    count(distinct query_id) as query_count
from staged
group by run
order by min(line_number)
