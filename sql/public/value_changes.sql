-- One row is the value of a registered measure for a query of a run under two
-- judgment sets, with the number of judgments of the query that differ between
-- the sets. A query that only one of the sets judges has no value under the
-- other. Filter by judgment_set and other_judgment_set: every pair of sets is listed, in
-- both directions.
select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    others.name as other_judgment_set,
    measure,
    query_id,
    other_value,
    value,
    difference,
    changes,
    returned_changes,
    run_id,
    judgment_set_id,
    other_judgment_set_id
from store.value_changes
inner join store.runs using (run_id)
inner join store.judgment_sets using (judgment_set_id)
inner join store.judgment_sets as others on other_judgment_set_id = others.judgment_set_id
