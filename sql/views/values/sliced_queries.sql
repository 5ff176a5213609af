-- One row is a judged query of an evaluation in a slice (see query_slices), whether
-- the run answered it or not.
select
    evaluated_queries.run_id,
    runs.name as run,
    evaluated_queries.judgment_set_id,
    evaluated_queries.query_id,
    evaluated_queries.retrieved,
    query_slices.attribute,
    query_slices.slice,
    query_slices.weight

from evaluated_queries

inner join runs using (run_id)

inner join query_slices using (judgment_set_id, query_id)
