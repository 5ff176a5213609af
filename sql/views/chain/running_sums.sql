-- One row is a place for G, ndcg_rel and Rndcg, which compare a run's list with the ideal one at
-- the same depth, with the sums of gains down to a document, plain (cg), discounted (dcg), and with
-- each position of the ideal costing at least 1 (cost). length is that of the ideal list.
select
    side, list_id, judgment_set_id, query_id, measure, family, position, gain,
    list_sum(list(gain) over down) as cg,
    list_sum(list(gain / discount) over down) as dcg,
    list_sum(list(greatest(gain, 1)) over down) as cost,
    coalesce(lead(gain) over down_to_end < gain, true) as drops,
    relevant as length
from terms
where family in ('G', 'ndcg_rel', 'Rndcg')
window
    down as (
        partition by side, list_id, judgment_set_id, query_id, measure
        order by position rows between unbounded preceding and current row
    ),
    down_to_end as (
        partition by side, list_id, judgment_set_id, query_id, measure order by position
    )
