-- One row is a relevant document that a run returned within the cutoff of a
-- measure; found counts them down the ranking, so that found / position is
-- the precision there.
select
    listed_hits.run_id,
    listed_hits.judgment_set_id,
    listed_hits.query_id,
    relevance_measures.measure,
    relevance_measures.family,
    listed_hits.position,
    row_number() over (
        partition by
            listed_hits.run_id,
            listed_hits.judgment_set_id,
            listed_hits.query_id,
            relevance_measures.measure,
            relevance_measures.family
        order by listed_hits.position
    ) as found

from listed_hits

inner join relevance_measures
    on
        listed_hits.judged_only = relevance_measures.judged_only
        and listed_hits.grade >= relevance_measures.rel
        and (
            relevance_measures.cutoff is null
            or listed_hits.position <= relevance_measures.cutoff
        )

where listed_hits.grade >= 0
