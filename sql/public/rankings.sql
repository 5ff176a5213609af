-- One row is a document that a run returned for a query, at its position. score
-- is null if the run was loaded without scores. Runs that another engine
-- evaluated (see engine in evaluations) have no rows.
select
    runs.dataset,
    runs.name as run,
    rankings.run_id, rankings.query_id, rankings.position, rankings.doc_id, rankings.score
from store.rankings
inner join store.runs using (run_id)
