-- One row is a group of documents with equal scores, at least one of them
-- judged, under a measure with ties='mean'. Each of its positions down to the
-- cutoff has the mean gain of the group: the expected gain over all orders of
-- the ties (McSherry & Najork 2008, ECIR).
select
    hits.run_id,
    runs.name as run,
    hits.judgment_set_id,
    hits.query_id,
    gain_lists.list_measure,
    hits.tie_first,
    least(hits.tie_last, gain_lists.depth) as tie_last,
    sum(grade_gains.gain order by hits.position)
    / (hits.tie_last - hits.tie_first + 1) as gain

from hits

inner join runs using (run_id)

inner join gain_lists
    on hits.tie_first <= gain_lists.depth

inner join grade_gains using (judgment_set_id, grade, gain_scheme, rel)

where gain_lists.tie_rule = 'mean'

group by
    hits.run_id,
    runs.name,
    hits.judgment_set_id,
    hits.query_id,
    gain_lists.list_measure,
    gain_lists.depth,
    hits.tie_first,
    hits.tie_last
