-- query {query_id}, document {doc_id}: run tag {tag}, but {first_tag} on {unit} {first_line}; a file contains one run
with first_lines as (

    select
        min(staged.line_number) as first_line,
        arg_min(staged.tag, staged.line_number) as first_tag

    from staged

)

select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.tag,
    first_lines.first_tag,
    first_lines.first_line,
    $unit as unit

from staged

inner join first_lines
    on staged.tag <> first_lines.first_tag
