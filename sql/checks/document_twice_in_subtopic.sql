-- query {query_id}, subtopic {subtopic}, document {doc_id}: already on {unit} {first_line}
with repeated as (

    select
        staged.query_id,
        staged.subtopic,
        staged.doc_id,
        min(staged.line_number) as first_line

    from staged

    group by
        staged.query_id,
        staged.subtopic,
        staged.doc_id

    having count(*) > 1

)

select
    staged.line_number,
    staged.query_id,
    staged.subtopic,
    staged.doc_id,
    repeated.first_line,
    $unit as unit

from staged

inner join repeated using (query_id, subtopic, doc_id)

where staged.line_number > repeated.first_line
