-- One row is a query that at least one of two runs answered, with the
-- rank-biased overlap of their rankings, extrapolated beyond the ends of both
-- (Webber, Moffat & Zobel 2010, ACM TOIS 28(4)). A query that only one of them
-- answered has an overlap of 0. Relevant documents are those with grade 1 or more
-- in a judgment set; null without one.
with lengths as (

    select
        run_queries.query_id,
        least(
            max(
                case
                    when run_queries.run_id = $run_id
                        then run_queries.retrieved
                    else 0
                end
            ),
            max(
                case
                    when run_queries.run_id = $other_run_id
                        then run_queries.retrieved
                    else 0
                end
            )
        ) as shorter,
        max(run_queries.retrieved) as longer,
        count(distinct run_queries.run_id) as answered_by

    from run_queries

    where run_queries.run_id in ($run_id, $other_run_id)

    group by run_queries.query_id

),

-- A document that both runs return adds to the overlap at every depth from this
-- one on.
shared as (

    select
        rankings.query_id,
        greatest(rankings.position, other_rankings.position) as depth

    from rankings

    inner join rankings as other_rankings using (query_id, doc_id)

    where
        rankings.run_id = $run_id
        and other_rankings.run_id = $other_run_id

),

-- What a shared document adds at each depth (p^depth / depth), summed over the
-- depths down to this position.
weights as (

    select
        positions.position,
        sum(power($p, positions.position) / positions.position)
            over (order by positions.position) as weight

    from positions

    union all

    select
        0 as position,
        0 as weight

),

common as (

    select
        shared.query_id,
        lengths.shorter,
        lengths.longer,
        count(*) as found,
        sum(case when shared.depth <= lengths.shorter then 1 else 0 end)
            as found_early,
        sum(weights.weight order by shared.depth) as weight_sum

    from shared

    inner join lengths using (query_id)

    inner join weights
        on shared.depth - 1 = weights.position

    group by
        shared.query_id,
        lengths.shorter,
        lengths.longer

),

relevant as (

    select
        rankings.query_id,
        rankings.doc_id,
        min(rankings.run_id) as run_id,
        count(*) as run_count

    from rankings

    inner join judgments using (query_id, doc_id)

    where
        rankings.run_id in ($run_id, $other_run_id)
        and judgments.judgment_set_id = $judgment_set_id
        and judgments.grade >= 1

    group by
        rankings.query_id,
        rankings.doc_id

),

relevant_counts as (

    select
        relevant.query_id,
        count(*) filter (relevant.run_count = 2) as in_both,
        count(*) filter (
            relevant.run_count = 1 and relevant.run_id = $run_id
        ) as in_run_only,
        count(*) filter (
            relevant.run_count = 1 and relevant.run_id = $other_run_id
        ) as in_other_only

    from relevant

    group by relevant.query_id

)

select
    lengths.query_id,
    coalesce(
        (1 - $p)
        / $p
        * (
            common.found * long_weights.weight
            - common.weight_sum
            + common.found_early
            / common.shorter
            * (
                (
                    power($p, common.shorter + 1)
                    - power($p, common.longer + 1)
                )
                / (1 - $p)
                - common.shorter
                * (long_weights.weight - short_weights.weight)
            )
        )
        + (
            (common.found - common.found_early) / common.longer
            + common.found_early / common.shorter
        )
        * power($p, common.longer),
        0
    ) as value,
    coalesce(common.found, 0) as shared,
    lengths.answered_by = 2 as answered_by_both,
    case
        when $judgment_set_id is not null
            then coalesce(relevant_counts.in_both, 0)
    end as relevant_in_both,
    case
        when $judgment_set_id is not null
            then coalesce(relevant_counts.in_run_only, 0)
    end as relevant_in_run_only,
    case
        when $judgment_set_id is not null
            then coalesce(relevant_counts.in_other_only, 0)
    end as relevant_in_other_only

from lengths

left join relevant_counts using (query_id)

left join common using (query_id)

left join weights as long_weights
    on common.longer = long_weights.position

left join weights as short_weights
    on common.shorter = short_weights.position

order by lengths.query_id
