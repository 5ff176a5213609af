-- One row is a document of a ranking as a measure sees it, with the term that it adds to the value
-- (steps: see explained_terms).
select * exclude (run_id, judgment_set_id, query_id)
from steps
order by list_position($measures, measure) asc, position asc nulls last, grade desc, doc_id desc
