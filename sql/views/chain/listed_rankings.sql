-- One row is a document in the ranking that a run returned (known = 'keep'), or in what is left of
-- it without documents that the query knows ('omit').
select
    run_id, query_id, doc_id, position,
    'keep' as known
from rankings
union all
select
    run_id, query_id, doc_id, position,
    'omit' as known
from new_rankings
