-- One row is the share of judged documents among the first that a run returned
-- for the queries of a slice, to a depth that a measure looks at: the mean over
-- these queries. Measures without a cutoff look at 10 documents.
with depths as (

    select distinct coalesce(measures.cutoff, 10) as depth

    from measures

),

judged_hits as (

    select
        hits.run_id,
        runs.name as run,
        hits.judgment_set_id,
        hits.query_id,
        depths.depth,
        count(*) as judged

    from hits

    inner join runs using (run_id)

    inner join depths
        on hits.position <= depths.depth

    where hits.grade >= 0

    group by
        hits.run_id,
        runs.name,
        hits.judgment_set_id,
        hits.query_id,
        depths.depth

)

select
    sliced_queries.run_id,
    sliced_queries.run,
    sliced_queries.judgment_set_id,
    sliced_queries.attribute,
    sliced_queries.slice,
    depths.depth,
    sum(
        coalesce(
            judged_hits.judged
            / least(depths.depth, sliced_queries.retrieved),
            0
        )
        order by sliced_queries.query_id
    )
    / count(*) as judged_at_k

from sliced_queries

cross join depths

left join judged_hits using (run_id, run, judgment_set_id, query_id, depth)

group by
    sliced_queries.run_id,
    sliced_queries.run,
    sliced_queries.judgment_set_id,
    sliced_queries.attribute,
    sliced_queries.slice,
    depths.depth
