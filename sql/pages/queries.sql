-- One row is a query of a page: it has a value of any of $measures. If there are
-- more than $most, one half is those with the greatest differences between the runs
-- in $measure, the other half is drawn by hash, which is the same every time. Of some
-- that are $listed, there are no others.
with spreads as (
    select
        query_values.query_id,
        max(query_values.value) filter (where query_values.measure = $measure)
        - min(query_values.value) filter (where query_values.measure = $measure) as spread,
        min(query_values.value) filter (where query_values.measure = $measure) as least
    from query_values
    where
        list_contains($run_ids, query_values.run_id)
        and query_values.judgment_set_id = $judgment_set_id
        and list_contains($measures, query_values.measure)
    group by query_values.query_id
),

sizes as (
    select cast($most as bigint) as most
),

placed as (
    select
        spreads.query_id,
        row_number() over (
            order by
                spreads.spread desc nulls last,
                spreads.least asc nulls last,
                spreads.query_id asc
        ) as place,
        row_number() over (order by hash(spreads.query_id), spreads.query_id) as lot,
        count(*) over () as query_count
    from spreads
)

select
    placed.query_id, queries.text, placed.place, placed.query_count
from placed
cross join sizes
left join queries
    on queries.dataset = $dataset and placed.query_id = queries.query_id
where
    ($listed is null or list_contains($listed, placed.query_id))
    and (
        placed.query_count <= sizes.most
        or placed.place <= sizes.most // 2
        or placed.lot <= sizes.most // 2
    )
