-- The counts of a judgment set, the number of its judgments with a label, and
-- of the different names of its subtopics.
with subtopics as (

    select
        subtopic_judgments.judgment_set_id,
        count(distinct subtopic_judgments.subtopic) as subtopics

    from subtopic_judgments

    where subtopic_judgments.judgment_set_id = $id

    group by subtopic_judgments.judgment_set_id

)

select
    judgment_sets.query_count,
    judgment_sets.judgment_count,
    count(judgments.label) as labels,
    coalesce(subtopics.subtopics, 0) as subtopics

from judgment_sets

inner join judgments using (judgment_set_id)

left join subtopics using (judgment_set_id)

where judgment_sets.judgment_set_id = $id

group by
    judgment_sets.query_count,
    judgment_sets.judgment_count,
    subtopics.subtopics
