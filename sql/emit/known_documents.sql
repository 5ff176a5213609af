-- No documents are known.
select
    'emitted' as dataset,
    '' as query_id,
    '' as doc_id
where false
