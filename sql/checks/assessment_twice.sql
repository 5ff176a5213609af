-- query {query_id}, document {doc_id}, assessor {assessor}: already on {unit} {first_line}
with repeated as (
    select
        staged.query_id, staged.doc_id, staged.assessor, staged.assessed_at,
        min(staged.line_number) as first_line
    from staged
    group by all
    having count(*) > 1
)

select
    staged.line_number, staged.query_id, staged.doc_id, staged.assessor, repeated.first_line,
    $unit as unit
from staged
inner join repeated using (query_id, doc_id, assessor)
where
    staged.assessed_at is not distinct from repeated.assessed_at
    and staged.line_number > repeated.first_line
