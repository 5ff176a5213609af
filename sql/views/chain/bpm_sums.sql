-- One row is the value of BPM@k for a list, the mean gain down to the document with which the
-- reader has gained T, or to position k (Zhang et al. 2017).
with gained as (
    select
        list_id, judgment_set_id, query_id, measure, position, t, depth,
        list_sum(list(gain) over down) as gain_sum
    from terms
    where family = 'BPM'
    window down as (
        partition by list_id, judgment_set_id, query_id, measure
        order by position rows between unbounded preceding and current row
    )
)

select
    'run' as side,
    list_id, judgment_set_id, query_id, measure,
    coalesce(
        min(gain_sum) filter (gain_sum >= t) / min(position) filter (gain_sum >= t),
        max(gain_sum) / depth
    ) as total,
    null as best,
    null as found
from gained
group by list_id, judgment_set_id, query_id, measure, depth
