-- One row is a group of documents with equal scores, some of them judged, as a
-- measure with ties='mean' sees it: each of its positions up to the cutoff
-- holds the mean gain of the group, the expectation over all orders of the
-- ties (McSherry & Najork 2008, ECIR).
select
    hits.run_id,
    hits.judgment_set_id,
    hits.query_id,
    gain_measures.measure,
    gain_measures.family,
    hits.tie_first,
    case
        when hits.tie_last > gain_measures.cutoff then gain_measures.cutoff
        else hits.tie_last
    end as tie_last,
    sum(grade_gains.gain order by hits.position)
    / (hits.tie_last - hits.tie_first + 1) as gain

from hits

inner join gain_measures
    on
        gain_measures.cutoff is null
        or hits.tie_first <= gain_measures.cutoff

inner join grade_gains
    on
        hits.judgment_set_id = grade_gains.judgment_set_id
        and hits.grade = grade_gains.grade
        and gain_measures.gain_scheme = grade_gains.gain_scheme
        and gain_measures.rel = grade_gains.rel

where gain_measures.ties = 'mean'

group by
    hits.run_id,
    hits.judgment_set_id,
    hits.query_id,
    gain_measures.measure,
    gain_measures.family,
    gain_measures.cutoff,
    hits.tie_first,
    hits.tie_last
