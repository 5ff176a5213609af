-- How many documents have no majority grade: several grades are equally frequent.
with counted as (

    select
        assessor_grades.query_id,
        assessor_grades.doc_id,
        assessor_grades.grade,
        rank() over (
            partition by
                assessor_grades.query_id,
                assessor_grades.doc_id
            order by count(*) desc
        ) as place

    from assessor_grades

    where
        assessor_grades.dataset = $dataset
        and assessor_grades.grade >= 0

    group by
        assessor_grades.query_id,
        assessor_grades.doc_id,
        assessor_grades.grade

),

tied as (

    select
        counted.query_id,
        counted.doc_id

    from counted

    where counted.place = 1

    group by all

    having count(*) > 1

)

select count(*) as document_count

from tied
