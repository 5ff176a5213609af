-- One row is a document that assessors graded, with the grade that each policy
-- derives from their last grades: the mean, the median (of an even number,
-- halfway between the two in the middle), the majority grade (the lowest if
-- several are equally frequent), the highest, and the latest (the lowest if
-- several are). A negative grade counts as no grade; if a document has no
-- other, every policy gives -1.
with graded as (

    select
        assessor_grades.dataset,
        assessor_grades.query_id,
        assessor_grades.doc_id,
        count(*) as assessors,
        sum(assessor_grades.grade order by assessor_grades.assessor)
        / count(*) as mean_grade,
        median(assessor_grades.grade) as median_grade,
        max(assessor_grades.grade) as max_grade,
        max(assessor_grades.assessed_at) as assessed_at

    from assessor_grades

    where assessor_grades.grade >= 0

    group by
        assessor_grades.dataset,
        assessor_grades.query_id,
        assessor_grades.doc_id

),

counted as (

    select
        assessor_grades.dataset,
        assessor_grades.query_id,
        assessor_grades.doc_id,
        assessor_grades.grade,
        max(assessor_grades.assessed_at) as assessed_at,
        row_number() over (
            partition by
                assessor_grades.dataset,
                assessor_grades.query_id,
                assessor_grades.doc_id
            order by
                count(*) desc,
                assessor_grades.grade asc
        ) as place

    from assessor_grades

    where assessor_grades.grade >= 0

    group by
        assessor_grades.dataset,
        assessor_grades.query_id,
        assessor_grades.doc_id,
        assessor_grades.grade

),

chosen as (

    select
        counted.dataset,
        counted.query_id,
        counted.doc_id,
        min(case when counted.place = 1 then counted.grade end)
            as majority_grade,
        min(
            case
                when counted.assessed_at = graded.assessed_at
                    then counted.grade
            end
        ) as latest_grade

    from counted

    inner join graded using (dataset, query_id, doc_id)

    group by
        counted.dataset,
        counted.query_id,
        counted.doc_id

),

seen as (

    select distinct
        assessor_grades.dataset,
        assessor_grades.query_id,
        assessor_grades.doc_id

    from assessor_grades

)

select
    seen.dataset,
    seen.query_id,
    seen.doc_id,
    coalesce(graded.assessors, 0) as assessors,
    coalesce(graded.mean_grade, -1) as mean_grade,
    coalesce(graded.median_grade, -1) as median_grade,
    coalesce(chosen.majority_grade, -1) as majority_grade,
    coalesce(graded.max_grade, -1) as max_grade,
    coalesce(chosen.latest_grade, -1) as latest_grade

from seen

left join graded using (dataset, query_id, doc_id)

left join chosen using (dataset, query_id, doc_id)
