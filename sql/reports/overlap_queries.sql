-- One row is a query that at least one of two runs answered, with the
-- rank-biased overlap of their rankings, extrapolated beyond the ends of both
-- (Webber, Moffat & Zobel 2010, ACM TOIS 28(4)). A query that only one of them
-- answered has an overlap of 0. Relevant documents are those with grade 1 or more
-- in a judgment set; null without one.
with lengths as (
    select
        query_id,
        count(*) = 2 as answered_by_both,
        min(retrieved) as shorter,
        max(retrieved) as longer
    from run_queries
    where run_id in ($run_id, $other_run_id)
    group by all
),

-- A document that both runs return adds to the overlap at every depth from depth on.
returned as (
    select
        query_id, doc_id,
        count(*) = 2 as is_shared,
        min(run_id) = $run_id as is_of_run,
        max(position) as depth
    from rankings
    where run_id in ($run_id, $other_run_id)
    group by query_id, doc_id
),

relevant as (
    select query_id, doc_id, grade
    from judgments
    where judgment_set_id = $judgment_set_id and grade >= 1
),

-- What a shared document adds at each depth (p^depth / depth), summed over the
-- depths down to this position.
weights as (
    select
        position,
        sum(power($p, position) / position) over (order by position) as weight
    from positions
    union all
    select
        0 as position,
        0 as weight
),

counts as (
    select
        query_id,
        count(*) filter (is_shared) as shared,
        count(*) filter (is_shared and depth <= shorter) as early,
        sum(weight order by depth) filter (is_shared) as above,
        count(grade) filter (is_shared) as in_both,
        count(grade) filter (not is_shared and is_of_run) as in_run_only,
        count(grade) filter (not is_shared and not is_of_run) as in_other_only
    from returned
    inner join lengths using (query_id)
    inner join weights on returned.depth - 1 = weights.position
    left join relevant using (query_id, doc_id)
    group by all
)

select
    $run as run,
    $other_run as other_run,
    $judgment_set as judgment_set,
    query_id,
    coalesce(
        (1 - $p)
        / $p
        * (
            shared * long_weights.weight
            - above
            + early
            / shorter
            * (
                (power($p, shorter + 1) - power($p, longer + 1)) / (1 - $p)
                - shorter * (long_weights.weight - short_weights.weight)
            )
        )
        + ((shared - early) / longer + early / shorter) * power($p, longer),
        0
    ) as rank_biased_overlap,
    shared as shared_documents,
    answered_by_both,
    case when $judgment_set is not null then in_both end as relevant_in_both,
    case when $judgment_set is not null then in_run_only end as relevant_in_run_only,
    case when $judgment_set is not null then in_other_only end as relevant_in_other_only
from lengths
inner join counts using (query_id)
inner join weights as long_weights on lengths.longer = long_weights.position
inner join weights as short_weights on lengths.shorter = short_weights.position
order by query_id
