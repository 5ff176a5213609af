-- A judgment that another engine and a judgment set do not both have, or with
-- different grades, and how many there are.
with ours as (
    select
        judgments.query_id, judgments.doc_id, judgments.grade
    from judgments
    where judgments.judgment_set_id = $judgment_set_id
)

select
    coalesce(staged_judgments.query_id, ours.query_id) as query_id,
    coalesce(staged_judgments.doc_id, ours.doc_id) as doc_id,
    cast(staged_judgments.grade as varchar) as their_grade,
    cast(ours.grade as varchar) as our_grade,
    count(*) over () as judgment_count
from staged_judgments
full join ours
    on staged_judgments.query_id = ours.query_id and staged_judgments.doc_id = ours.doc_id
where not coalesce(staged_judgments.grade = ours.grade, false)
order by query_id, doc_id
limit 1
