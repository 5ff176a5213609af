-- The judged, described and known documents of a dataset, and whether they came with a
-- new judgment set or the staged rows (new_ids).
with stored_ids as (
    select doc_id
    from judgments
    inner join judgment_sets using (judgment_set_id)
    where dataset = $dataset and judgment_set_id is distinct from $judgment_set_id
    union all
    select doc_id
    from documents
    where dataset = $dataset
    union all
    select doc_id
    from known_documents
    where dataset = $dataset
)

select doc_id as id, false as is_new from stored_ids
union all
select id, true as is_new from new_ids
