-- No weights of queries are known.
select
    'emitted' as dataset,
    '' as query_id,
    null as weight
where false
