-- Whether a run or a judgment set of a dataset has one of the staged documents, or with
-- stored ones, of those of the dataset.
with described as (
    select staged.doc_id
    from staged
    union all
    select documents.doc_id
    from documents
    where documents.dataset = $dataset and $with_stored
)

select exists (from source_rows semi join described using (doc_id)) as is_shared
