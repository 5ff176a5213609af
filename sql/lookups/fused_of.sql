-- One row is a run that fuse made of a run of this name, with the names of all of its
-- sources (of source_rows) in their order.
select
    source_rows.run_id,
    list(source_rows.name order by source_rows.place) as names
from source_rows
where source_rows.dataset = $dataset
group by source_rows.run_id
having bool_or(source_rows.name = $name)
