-- query {query_id}, group {group_id}, document {doc_id}: already in the {noun} on {unit} {first_line}
with repeated as (

    select
        staged.query_id,
        staged.group_id,
        staged.subgroup_id,
        staged.doc_id,
        min(staged.line_number) as first_line

    from staged

    group by
        staged.query_id,
        staged.group_id,
        staged.subgroup_id,
        staged.doc_id

    having count(*) > 1

)

select
    staged.line_number,
    staged.query_id,
    staged.group_id,
    staged.doc_id,
    case when staged.subgroup_id = '' then 'group' else 'subgroup' end as noun,
    repeated.first_line,
    $unit as unit

from staged

inner join repeated using (query_id, group_id, subgroup_id, doc_id)

where staged.line_number > repeated.first_line
