-- One row is a place in the ideal ranking of only those documents that a run
-- returned: at any position (ideal='retrieved'), or within the cutoff
-- (ideal='topk').
select
    hits.run_id,
    hits.judgment_set_id,
    hits.query_id,
    gain_measures.measure,
    gain_measures.family,
    row_number() over (
        partition by
            hits.run_id,
            hits.judgment_set_id,
            hits.query_id,
            gain_measures.measure,
            gain_measures.family
        order by
            grade_gains.gain desc,
            hits.doc_id desc
    ) as position,
    hits.doc_id,
    hits.grade,
    grade_gains.gain

from hits

inner join gain_measures
    on
        gain_measures.ideal = 'retrieved'
        or (
            gain_measures.ideal = 'topk'
            and (
                gain_measures.cutoff is null
                or hits.position <= gain_measures.cutoff
            )
        )

inner join grade_gains
    on
        hits.judgment_set_id = grade_gains.judgment_set_id
        and hits.grade = grade_gains.grade
        and gain_measures.gain_scheme = grade_gains.gain_scheme
        and gain_measures.rel = grade_gains.rel

where grade_gains.gain > 0
