-- No measure is divided by the value of the greedy ideal ranking.
select
    cast(1 as bigint) as judgment_set_id,
    '' as query_id,
    cast(1 as double) as rel,
    '' as known,
    cast(1 as double) as alpha,
    cast(1 as bigint) as position,
    '' as doc_id,
    cast(0 as double) as gain
where false
