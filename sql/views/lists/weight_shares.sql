-- One row is a query with a weight that a judgment set of its dataset judges,
-- with its share of the weights of all of these: the share of traffic, if the
-- weights are searches.
with weighted as (
    select
        queries.dataset, queries.query_id, queries.weight
    from queries
    where
        queries.weight is not null
        and (queries.dataset, queries.query_id) in (
            select
                judgment_sets.dataset, judged_queries.query_id
            from judged_queries
            inner join judgment_sets using (judgment_set_id)
        )
),

totals as (
    select
        weighted.dataset,
        sum(weighted.weight order by weighted.query_id) as total_weight
    from weighted
    group by weighted.dataset
)

select
    weighted.dataset, weighted.query_id,
    weighted.weight / nullif(totals.total_weight, 0) as weight_share
from weighted
inner join totals using (dataset)
