-- One row is a query of a page: it has a value of any of $measures. If there are
-- more than $most, one half is those with the greatest differences between the runs
-- in $measure, the other half is drawn by hash, which is the same every time. Of some
-- that are $listed, there are no others.
with spreads as (
    select
        query_id,
        max(value) filter (measure = $measure) - min(value) filter (measure = $measure) as spread,
        min(value) filter (measure = $measure) as least
    from query_values
    where
        list_contains($run_ids, run_id)
        and judgment_set_id = $judgment_set_id
        and list_contains($measures, measure)
    group by all
),

placed as (
    select
        query_id,
        row_number() over (
            order by spread desc nulls last, least asc nulls last, query_id asc
        ) as place,
        row_number() over (order by hash(query_id), query_id) as lot,
        count(*) over () as query_count,
        cast($most as bigint) as most
    from spreads
)

select placed.query_id, text, place, query_count
from placed
left join queries
    on dataset = $dataset and placed.query_id = queries.query_id
where
    ($listed is null or list_contains($listed, placed.query_id))
    and (query_count <= most or place <= most // 2 or lot <= most // 2)
