-- One row is the value of a registered measure for a query of a run under two
-- judgment sets, with the number of judgments of the query that differ between
-- the sets. A query that only one of the sets judges has no value under the
-- other. Filter by judgment_set and other_judgment_set: every pair of sets is listed, in
-- both directions.
select
    value_changes.dataset,
    value_changes.run,
    value_changes.judgment_set,
    value_changes.other_judgment_set,
    value_changes.measure,
    value_changes.query_id,
    value_changes.other_value,
    value_changes.value,
    value_changes.difference,
    value_changes.changes,
    value_changes.returned_changes,
    value_changes.run_id,
    value_changes.judgment_set_id,
    value_changes.other_judgment_set_id

from store.value_changes
