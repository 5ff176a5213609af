-- One row is a line of a TREC file of diversity judgments; whole grades are
-- written without a decimal point.
select
    subtopic_judgments.query_id,
    subtopic_judgments.subtopic,
    subtopic_judgments.doc_id,
    case
        when
            abs(subtopic_judgments.grade) < 1e15
            and subtopic_judgments.grade = trunc(subtopic_judgments.grade)
            then cast(cast(subtopic_judgments.grade as bigint) as varchar)
        else cast(subtopic_judgments.grade as varchar)
    end as grade

from subtopic_judgments

where subtopic_judgments.judgment_set_id = $id

order by
    subtopic_judgments.query_id,
    subtopic_judgments.subtopic,
    subtopic_judgments.doc_id
