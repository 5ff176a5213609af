-- One row is a judged document of a query, with all others (known = 'keep') or with those alone
-- that the query does not know ('omit').
select
    judgment_set_id, query_id, doc_id, grade,
    'keep' as known
from judgments
union all
select
    judgment_set_id, query_id, doc_id, grade,
    'omit' as known
from new_judgments
