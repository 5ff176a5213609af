-- One row is a judged document in a run's ranking, within the depth of a
-- measure of the gain family (see gain_lists), with its gain. Measures that
-- share gains among ties (ties='mean') use tied_gains instead.
select
    listed_hits.run_id,
    listed_hits.run,
    listed_hits.judgment_set_id,
    listed_hits.query_id,
    gain_lists.list_measure,
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

where gain_lists.tie_rule is null
