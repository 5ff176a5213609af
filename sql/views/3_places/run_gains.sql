-- One row is a judged document on a run's list, as deep as measures of the gain
-- family look (see gain_lists), with what its grade is worth there. Measures
-- that share gains among ties (ties='mean') find theirs in tied_gains.
select
    listed_hits.run_id,
    listed_hits.judgment_set_id,
    listed_hits.query_id,
    gain_lists.deepest,
    listed_hits.position,
    listed_hits.doc_id,
    grade_gains.gain

from listed_hits

inner join gain_lists
    on
        listed_hits.judged_only = gain_lists.judged_only
        and listed_hits.position <= gain_lists.depth

inner join grade_gains
    on
        listed_hits.judgment_set_id = grade_gains.judgment_set_id
        and listed_hits.grade = grade_gains.grade
        and gain_lists.gain_scheme = grade_gains.gain_scheme
        and gain_lists.rel = grade_gains.rel

where gain_lists.ties is null
