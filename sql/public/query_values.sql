-- One row is the value of a registered measure for a judged query of a run,
-- whether the run answered the query or not. value is null if an option of the
-- measure omits the query. retrieved is 0 if the run answered it without documents,
-- null if it did not answer. Join this view with any table that has query ids. A
-- query has a row for each judgment set that the run was evaluated with: choose
-- one by judgment_set.
select
    query_values.dataset, query_values.run, query_values.judgment_set, query_values.query_id,
    query_values.measure, query_values.value, query_values.nothing_relevant,
    run_queries.retrieved, measures.trec_eval_name, query_values.run_id,
    query_values.judgment_set_id
from store.query_values
inner join store.measures using (measure)
left join store.run_queries using (run_id, query_id)
