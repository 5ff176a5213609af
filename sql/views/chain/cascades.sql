-- One row is a place of a cascade. ERR's reader stops at a document with the probability that is
-- its gain; reach is the probability that the reader gets there (Chapelle et al. 2009). A sum of
-- decimals is the same in any order.
select
    *,
    coalesce(
        exp(cast(
            sum(cast(ln(nullif(greatest(1 - gain, 0), 0)) as decimal(38, 30))) over above as double
        )),
        1
    ) as reach
from cascade_places
window above as (
    partition by side, list_id, judgment_set_id, query_id, basis
    order by position rows between unbounded preceding and 1 preceding
)
