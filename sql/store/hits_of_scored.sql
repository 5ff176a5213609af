-- The rows of computed_hits for a run, from the staged rows that it was stored
-- from, which are ordered by score. If few documents of a query are judged,
-- looking up only these is faster than ordering all.
insert into hits by name
with found as materialized (
    select query_id, doc_id, order_score, grade
    from scored
    inner join judgments using (query_id, doc_id)
    where judgment_set_id = $judgment_set_id
),

found_queries as materialized (
    select
        query_id,
        count(*) <= 8 as is_few
    from found
    group by query_id
),

counted as (
    select
        query_id, found.doc_id,
        count_if(
            scored.order_score > found.order_score
            or scored.doc_id >= found.doc_id
        ) as position,
        count_if(scored.order_score > found.order_score) + 1 as tie_first,
        count(*) as tie_last
    from found
    inner join found_queries using (query_id)
    inner join scored using (query_id)
    where is_few and found.order_score <= scored.order_score
    group by all
),

ordered as (
    select
        query_id, doc_id,
        row_number() over (partition by query_id order by order_score desc, doc_id desc)
            as position,
        rank() over (partition by query_id order by order_score desc) as tie_first,
        count(*) over (partition by query_id order by order_score desc) as tie_last
    from scored
    inner join found_queries using (query_id)
    where not is_few
),

placed as (
    from counted
    union all
    from ordered
)

select
    $run_id as run_id,
    $judgment_set_id as judgment_set_id,
    query_id, doc_id, position, grade, tie_first, tie_last
from found
inner join placed using (query_id, doc_id)
