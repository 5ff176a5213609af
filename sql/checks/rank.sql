-- query {query_id}, document {doc_id}: rank {rank_text} is not an integer
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.rank_text

from staged

where
    $position_rule = 'given'
    and staged.rank_text is not null
    and staged.rank is null
