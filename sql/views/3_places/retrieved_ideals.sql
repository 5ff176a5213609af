-- One row is a place in the ideal ranking of only those documents that a run
-- returned: at any position (ideal='retrieved'), or within the cutoff
-- (ideal='topk').
select
    listed_hits.run_id,
    listed_hits.judgment_set_id,
    listed_hits.query_id,
    gain_measures.measure,
    gain_measures.family,
    row_number() over (
        partition by
            listed_hits.run_id,
            listed_hits.judgment_set_id,
            listed_hits.query_id,
            gain_measures.measure,
            gain_measures.family
        order by
            grade_gains.gain desc,
            listed_hits.doc_id desc
    ) as position,
    listed_hits.doc_id,
    grade_gains.gain

from listed_hits

inner join gain_measures
    on
        listed_hits.judged_only = gain_measures.judged_only
        and (
            gain_measures.ideal = 'retrieved'
            or (
                gain_measures.ideal = 'topk'
                and (
                    gain_measures.cutoff is null
                    or listed_hits.position <= gain_measures.cutoff
                )
            )
        )

inner join grade_gains
    on
        listed_hits.judgment_set_id = grade_gains.judgment_set_id
        and listed_hits.grade = grade_gains.grade
        and gain_measures.gain_scheme = grade_gains.gain_scheme
        and gain_measures.rel = grade_gains.rel

where grade_gains.gain > 0
