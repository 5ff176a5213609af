-- One row is a line of a TREC file of judgments, which names their subtopics if
-- they have any; whole grades are written without a decimal point.
with lines as (
    select query_id, subtopic, doc_id, grade
    from subtopic_judgments
    where judgment_set_id = $id
    union all
    select query_id, '0' as subtopic, doc_id, grade
    from judgments
    where
        judgment_set_id = $id
        and judgment_set_id not in (select judgment_set_id from subtopic_judgments)
)

select
    query_id, subtopic, doc_id,
    case
        when abs(grade) < 1e15 and grade = trunc(grade)
            then cast(cast(grade as bigint) as varchar)
        else cast(grade as varchar)
    end as grade
from lines
order by query_id, subtopic, doc_id
