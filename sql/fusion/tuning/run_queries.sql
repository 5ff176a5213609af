-- How many documents each fusion shows for a query: the same for all.
insert into run_queries by name
select
    fusions.run_id, query_id,
    least(count(*), coalesce($depth, count(*))) as retrieved
from tuned_documents
inner join tuned_queries using (query_number)
cross join range(1, $count + 1) as fusions (run_id)
group by all
