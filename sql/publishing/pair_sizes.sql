-- One row is a run and how many values are read to compare it with older ones: those of queries,
-- once for all of them and once for each attribute.
with attributes as (
    select
        dataset,
        count(distinct attribute) as attribute_count
    from query_attributes
    group by dataset
)

select
    newer_run_id,
    sum((answered + unanswered) * (1 + coalesce(attribute_count, 0))) as value_count
from run_pairs
inner join stored_run_values
    on candidate_run_id = run_id
inner join evaluations using (run_id, judgment_set_id)
left join attributes using (dataset)
group by newer_run_id
