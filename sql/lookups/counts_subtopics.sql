-- The number of subtopics of all queries of a judgment set, and of the judgments
-- for them.
with subtopics as (

    select
        subtopic_judgments.query_id,
        subtopic_judgments.subtopic,
        count(*) as judgments

    from subtopic_judgments

    where subtopic_judgments.judgment_set_id = $id

    group by
        subtopic_judgments.query_id,
        subtopic_judgments.subtopic

)

select
    count(*) as subtopic_count,
    coalesce(sum(subtopics.judgments), 0) as judgment_count

from subtopics
