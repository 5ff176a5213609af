-- One row is a judged document on a run's list, within the cutoff of a measure
-- of the gain family, with what its grade is worth there. Measures that share
-- gains among ties (ties='mean') find theirs in tied_gains.
select
    listed_hits.run_id,
    listed_hits.judgment_set_id,
    listed_hits.query_id,
    gain_measures.measure,
    gain_measures.family,
    listed_hits.position,
    listed_hits.doc_id,
    grade_gains.gain

from listed_hits

inner join gain_measures
    on
        listed_hits.judged_only = gain_measures.judged_only
        and (
            gain_measures.cutoff is null
            or listed_hits.position <= gain_measures.cutoff
        )

inner join grade_gains
    on
        listed_hits.judgment_set_id = grade_gains.judgment_set_id
        and listed_hits.grade = grade_gains.grade
        and gain_measures.gain_scheme = grade_gains.gain_scheme
        and gain_measures.rel = grade_gains.rel

where gain_measures.ties is null
