-- One row is the value of 11pt_avg for a list, the mean interpolated precision (see IPrec) where 0,
-- 10, 20 ... 100 % of the relevant documents were found (Salton & McGill 1983).
with points as (
    select
        list_id, judgment_set_id, query_id, measure, tenths,
        max(found / position) as precision
    from terms
    inner join (select unnest(range(11)) as tenths) as shares
        on found >= floor(tenths / 10 * relevant + rounding)
    where family = '11pt_avg'
    group by all
)

select
    'run' as side,
    list_id, judgment_set_id, query_id, measure,
    sum_in_order(precision, tenths) / 11 as total,
    null as best,
    null as found
from points
group by all
