-- A script takes no known documents out.
select
    '' as dataset,
    '' as query_id,
    '' as doc_id
where false
