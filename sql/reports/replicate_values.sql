-- One row is the value of a measure for a judged query of a system: the mean over
-- its replicates, or in a divided system over those that answered the query, if
-- any did. A value that the measure omits is none of them.
select
    system_id as run_id,
    judgment_set_id, measure, query_id,
    avg(value order by stored_values.run_id) as value,
    bool_and(nothing_relevant) as nothing_relevant
from stored_values
inner join system_runs using (run_id)
inner join replicate_answers using (system_id, judgment_set_id, query_id)
inner join evaluated_queries using (run_id, judgment_set_id, query_id)
where
    judgment_set_id = $judgment_set_id
    and list_contains($measures, measure)
    and (not is_divided or answers = 0 or evaluated_queries.retrieved > 0)
group by system_id, judgment_set_id, measure, query_id
