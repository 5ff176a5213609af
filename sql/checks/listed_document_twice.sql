-- document {doc_id}: already on {unit} {first_line}
with repeated as (

    select
        staged.doc_id,
        min(staged.line_number) as first_line

    from staged

    group by staged.doc_id

    having count(*) > 1

)

select
    staged.line_number,
    staged.doc_id,
    repeated.first_line,
    $unit as unit

from staged

inner join repeated using (doc_id)

where staged.line_number > repeated.first_line
