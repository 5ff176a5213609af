-- Whether a stored judgment set has exactly the compared judgments of
-- subtopics, in any order.
with stored as (
    select query_id, subtopic, doc_id, grade, label
    from subtopic_judgments
    where judgment_set_id = $id
),

differing as (
    select query_id, subtopic, doc_id, grade, label
    from compared
    except
    from stored
)

select
    (select count(*) from stored) = (select count(*) from compared)
    and not exists (from differing) as is_same
