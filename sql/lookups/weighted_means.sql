-- One row is a mean of stored values that the weights of queries weigh: what
-- stored_weighted_values must have. Not the rows of the view summarized_values: a fault
-- of that view would be on both sides.
select
    run_id, judgment_set_id, measure,
    sum(weight * value order by query_id) / nullif(sum(weight order by query_id), 0)
        as weighted_value,
    count(*) as weighted_n
from stored_values
inner join runs using (run_id)
inner join measures using (measure)
inner join queries using (dataset, query_id)
where weight is not null and value is not null and summary = 'mean'
group by all
