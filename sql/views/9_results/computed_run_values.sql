-- One row is the value of a registered measure for an evaluation: the mean
-- over its judged queries, added up in order of query ids so that it is the
-- same to the last bit whatever the number of threads. judged_at_k tells what
-- share of the first k documents somebody judged, k being the measure's
-- cutoff, or 10 where it has none. The table stored_run_values keeps these
-- rows.
with means as (

    select
        stored_values.run_id,
        stored_values.judgment_set_id,
        stored_values.measure,
        sum(stored_values.value order by stored_values.query_id)
        / nullif(count(stored_values.value), 0) as value,
        count(stored_values.value) as n,
        sum(case when stored_values.no_relevant then 1 else 0 end)
            as no_relevant,
        case
            when count(stored_values.value) > 1
                then
                    stddev_samp(
                        stored_values.value
                        order by stored_values.query_id
                    )
                    / sqrt(count(stored_values.value))
        end as standard_error

    from stored_values

    group by
        stored_values.run_id,
        stored_values.judgment_set_id,
        stored_values.measure

),

depths as (

    select distinct coalesce(measures.cutoff, 10) as depth

    from measures

),

-- Judged hits of queries that show the same number of documents, counted
-- together: whole numbers add up alike in any order.
judged_hits as (

    select
        hits.run_id,
        hits.judgment_set_id,
        depths.depth,
        least(depths.depth, run_queries.retrieved) as shown,
        count(*) as judged

    from hits

    inner join depths
        on hits.position <= depths.depth

    inner join run_queries
        on
            hits.run_id = run_queries.run_id
            and hits.query_id = run_queries.query_id

    where hits.grade >= 0

    group by
        hits.run_id,
        hits.judgment_set_id,
        depths.depth,
        least(depths.depth, run_queries.retrieved)

),

judged_shares as (

    select
        judged_hits.run_id,
        judged_hits.judgment_set_id,
        judged_hits.depth,
        sum(
            judged_hits.judged / judged_hits.shown
            order by judged_hits.shown
        ) as share_sum

    from judged_hits

    group by
        judged_hits.run_id,
        judged_hits.judgment_set_id,
        judged_hits.depth

)

select
    means.run_id,
    means.judgment_set_id,
    means.measure,
    means.value,
    means.n,
    means.no_relevant,
    coalesce(judged_shares.share_sum, 0)
    / (evaluations.answered + evaluations.unanswered) as judged_at_k,
    means.standard_error

from means

inner join evaluations
    on
        means.run_id = evaluations.run_id
        and means.judgment_set_id = evaluations.judgment_set_id

inner join measures
    on means.measure = measures.measure

left join judged_shares
    on
        means.run_id = judged_shares.run_id
        and means.judgment_set_id = judged_shares.judgment_set_id
        and coalesce(measures.cutoff, 10) = judged_shares.depth
