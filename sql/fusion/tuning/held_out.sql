-- The mean over all queries, each by the fusion that was chosen where its fold was
-- left out.
select
    sum(value order by query_id) / nullif(count(value), 0) as value,
    count(value) as n
from stored_values
inner join tuned_queries using (query_id)
where run_id = list_extract($run_ids, fold)
