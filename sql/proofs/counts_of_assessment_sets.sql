-- assessments {assessment_set}: {query_count} queries and {assessment_count}
-- assessments were loaded, but {queries} and {assessments} are stored; remove
-- them, and load them again
with found as (

    select
        assessments.assessment_set_id,
        count(distinct assessments.query_id) as queries,
        count(*) as assessments

    from assessments

    group by assessments.assessment_set_id

)

select
    assessment_sets.name as assessment_set,
    assessment_sets.query_count,
    assessment_sets.assessment_count,
    coalesce(found.queries, 0) as queries,
    coalesce(found.assessments, 0) as assessments

from assessment_sets

left join found using (assessment_set_id)

where
    assessment_sets.query_count <> coalesce(found.queries, 0)
    or assessment_sets.assessment_count <> coalesce(found.assessments, 0)

order by assessment_sets.assessment_set_id
