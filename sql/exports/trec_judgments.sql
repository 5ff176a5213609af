-- One row is a line of a TREC qrels file; whole grades are written without a
-- decimal point.
select
    judgments.query_id,
    0 as iteration,
    judgments.doc_id,
    case
        when
            abs(judgments.grade) < 1e15
            and judgments.grade = trunc(judgments.grade)
            then cast(cast(judgments.grade as bigint) as varchar)
        else cast(judgments.grade as varchar)
    end as grade

from judgments

where judgments.judgment_set_id = $id

order by
    judgments.query_id,
    judgments.doc_id
