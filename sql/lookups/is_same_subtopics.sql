-- Whether a stored judgment set has exactly the compared judgments of
-- subtopics, in any order.
with stored as (
    select
        subtopic_judgments.query_id, subtopic_judgments.subtopic, subtopic_judgments.doc_id,
        subtopic_judgments.grade, subtopic_judgments.label
    from subtopic_judgments
    where subtopic_judgments.judgment_set_id = $id
),

differing as (
    select
        compared.query_id, compared.subtopic, compared.doc_id, compared.grade, compared.label
    from compared
    except
    from stored
)

select
    (select count(*) from stored) = (select count(*) from compared)
    and not exists (from differing) as is_same
