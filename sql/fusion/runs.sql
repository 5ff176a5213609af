-- One row is a run that is fused, at its place in the order in which terms are
-- added up.
select
    unnest($run_ids) as run_id,
    generate_subscripts($run_ids, 1) as place
