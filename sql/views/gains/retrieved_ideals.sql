-- One row is a document in the ideal ranking of only the documents that a run
-- returned: at any position (ideal='retrieved'), or within the cutoff
-- (ideal='topk').
select
    listed_hits.run_id,
    listed_hits.run,
    listed_hits.judgment_set_id,
    listed_hits.query_id,
    gain_lists.list_measure,
    row_number() over (
        partition by
            listed_hits.run_id,
            listed_hits.run,
            listed_hits.judgment_set_id,
            listed_hits.query_id,
            gain_lists.list_measure
        order by
            grade_gains.gain desc,
            listed_hits.doc_id desc
    ) as position,
    listed_hits.doc_id,
    grade_gains.gain

from listed_hits

inner join gain_lists using (judged_only, known)

inner join grade_gains using (judgment_set_id, grade, gain_scheme, rel)

where
    (
        gain_lists.ideal = 'retrieved'
        or (
            gain_lists.ideal = 'topk'
            and listed_hits.position <= gain_lists.depth
        )
    )
    and grade_gains.gain > 0
