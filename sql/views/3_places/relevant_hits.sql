-- One row is a relevant document that a run returned within the cutoff of a
-- measure; found counts them down the ranking, so that found / position is
-- the precision there.
select
    hits.run_id,
    hits.judgment_set_id,
    hits.query_id,
    relevance_measures.measure,
    relevance_measures.family,
    hits.position,
    row_number() over (
        partition by
            hits.run_id,
            hits.judgment_set_id,
            hits.query_id,
            relevance_measures.measure,
            relevance_measures.family
        order by hits.position
    ) as found

from hits

inner join relevance_measures
    on
        hits.grade >= relevance_measures.rel
        and (
            relevance_measures.cutoff is null
            or hits.position <= relevance_measures.cutoff
        )

where hits.grade >= 0
