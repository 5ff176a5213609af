-- One row is a line of a TREC file of judgments, which names their subtopics if
-- they have any; whole grades are written without a decimal point.
with lines as (
    select
        subtopic_judgments.query_id, subtopic_judgments.subtopic, subtopic_judgments.doc_id,
        subtopic_judgments.grade
    from subtopic_judgments
    where subtopic_judgments.judgment_set_id = $id
    union all
    select
        judgments.query_id,
        '0' as subtopic,
        judgments.doc_id, judgments.grade
    from judgments
    where
        judgments.judgment_set_id = $id
        and judgments.judgment_set_id not in (
            select subtopic_judgments.judgment_set_id
            from subtopic_judgments
        )
)

select
    lines.query_id, lines.subtopic, lines.doc_id,
    case
        when abs(lines.grade) < 1e15 and lines.grade = trunc(lines.grade)
            then cast(cast(lines.grade as bigint) as varchar)
        else cast(lines.grade as varchar)
    end as grade
from lines
order by lines.query_id, lines.subtopic, lines.doc_id
