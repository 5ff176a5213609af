insert into external_evaluations by name
select
    $run_id as run_id,
    $judgment_set_id as judgment_set_id,
    $engine as engine,
    $dialect as dialect,
    $ndcg_sql_version as ndcg_sql_version
