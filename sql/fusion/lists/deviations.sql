-- The same rows: the standard deviation (of the population) of the scaled scores,
-- added up as in sums. That they are scaled changes nothing, but keeps squares from
-- becoming 0 or infinite.
with distances as (
    select
        place, query_id,
        if(greatest > least, (score - least) / (greatest - least), 0) - mean as distance
    from fused_entries
    inner join source_rows using (place, query_id)
),

deviations as (
    select
        place, query_id,
        sqrt(
            sum(cast(distance * distance * power(2, 62) as bigint)) / power(2, 62) / count(*)
        ) as deviation
    from distances
    group by place, query_id
)

select
    source_rows.*,
    deviation
from source_rows
inner join deviations using (place, query_id)
