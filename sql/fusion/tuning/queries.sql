-- One row is a judged query, with its fold: queries are dealt to $folds folds in the
-- order of a hash of their ids.
select
    query_id,
    row_number() over (order by query_id) as query_number,
    (row_number() over (order by md5(query_id), query_id) - 1) % $folds + 1 as fold
from judged_queries
where judgment_set_id = $judgment_set_id
