-- One row is a judged document at its position in the ideal ranking of its
-- query, for each kind of ranking (see listed_judgments): the documents with a
-- gain above 0, in descending order of gain (Järvelin & Kekäläinen 2002, ACM
-- TOIS 20(4)). Equal gains are in descending order of document ids; no value
-- depends on that.
select
    judgment_sets.dataset,
    judgment_sets.name as judgment_set,
    listed_judgments.judgment_set_id,
    listed_judgments.query_id,
    listed_judgments.known,
    grade_gains.gain_scheme,
    grade_gains.rel,
    row_number() over (
        partition by
            listed_judgments.judgment_set_id,
            listed_judgments.query_id,
            listed_judgments.known,
            grade_gains.gain_scheme,
            grade_gains.rel
        order by
            grade_gains.gain desc,
            listed_judgments.doc_id desc
    ) as position,
    listed_judgments.doc_id,
    listed_judgments.grade,
    grade_gains.gain

from listed_judgments

inner join grade_gains using (judgment_set_id, grade)

inner join judgment_sets using (judgment_set_id)

where grade_gains.gain > 0
