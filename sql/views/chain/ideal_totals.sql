-- ideal_totals: the sum of an ideal list, computed here or stored. list_id is that of the run whose
-- list it is made of, or 0.
select list_id, judgment_set_id, query_id, measure, total
from sums
where side = 'ideal'
union all
select
    0 as list_id,
    judgment_set_id, query_id, measure, total
from ideal_sums
