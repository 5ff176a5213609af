-- The queries of a dataset, and whether they came with a new run, a new judgment set, or
-- the staged rows (new_ids).
with stored_ids as (
    select query_id
    from run_queries
    inner join runs using (run_id)
    where dataset = $dataset and run_id is distinct from $run_id
    union all
    select query_id
    from judgments
    inner join judgment_sets using (judgment_set_id)
    where dataset = $dataset and judgment_set_id is distinct from $judgment_set_id
    union all
    select query_id
    from queries
    where dataset = $dataset
    union all
    select query_id
    from known_documents
    where dataset = $dataset
)

select query_id as id, false as is_new from stored_ids
union all
select id, true as is_new from new_ids
