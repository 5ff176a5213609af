-- query {query_id}, document {doc_id}: rank {rank} is already on {unit} {first_line}
with repeated as (

    select
        staged.query_id,
        staged.rank,
        min(staged.line_number) as first_line

    from staged

    where
        $position_rule = 'given'
        and staged.rank is not null

    group by
        staged.query_id,
        staged.rank

    having count(*) > 1

)

select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.rank,
    repeated.first_line,
    $unit as unit

from staged

inner join repeated using (query_id, rank)

where staged.line_number > repeated.first_line
