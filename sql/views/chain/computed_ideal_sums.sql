-- computed_ideal_sums: the sum of an ideal list that all runs share. The table ideal_sums has those
-- of registered measures.
select judgment_set_id, measure, query_id, total
from sums
where side = 'ideal' and list_id = 0 and judgment_set_id <> 0
