-- query {query_id}, group {group_id}, document {doc_id}: {grade_text}, but {first_grade_text} on {unit} {first_line}; in a group, 0 means not relevant and more means relevant
with first_rows as (

    select
        staged.query_id,
        staged.group_id,
        staged.doc_id,
        min(staged.line_number) as first_line,
        arg_min(staged.grade, staged.line_number) as first_grade,
        arg_min(staged.grade_text, staged.line_number) as first_grade_text

    from staged

    where staged.grade >= 0

    group by all

)

select
    staged.line_number,
    staged.query_id,
    staged.group_id,
    staged.doc_id,
    staged.grade_text,
    first_rows.first_grade_text,
    first_rows.first_line,
    $unit as unit

from staged

inner join first_rows using (query_id, group_id, doc_id)

where
    staged.grade >= 0
    and (staged.grade > 0) <> (first_rows.first_grade > 0)
