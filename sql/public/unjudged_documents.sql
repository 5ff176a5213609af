-- One row is an unjudged document: a run returned it for a judged query, but it
-- has no judgment or only a negative grade. Filter by run or query_id: the
-- judgments are looked up for each answer. Runs that another engine evaluated
-- (see engine in evaluations) have no rows.
select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    query_id, rankings.position, rankings.doc_id, run_id, judgment_set_id
from store.evaluations
inner join store.runs using (run_id)
inner join store.judgment_sets using (judgment_set_id)
inner join store.rankings using (run_id)
inner join store.judged_queries using (judgment_set_id, query_id)
left join (select * from store.hits where grade >= 0) as judged_hits
    using (run_id, judgment_set_id, query_id, position)
where judged_hits.doc_id is null
