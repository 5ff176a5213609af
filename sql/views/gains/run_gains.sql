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

inner join gain_lists using (judged_only, known)

inner join grade_gains using (judgment_set_id, grade, gain_scheme, rel)

where
    listed_hits.position <= gain_lists.depth
    and gain_lists.tie_rule is null
