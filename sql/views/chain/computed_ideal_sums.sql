-- One row is the sum of an ideal list that all runs share. The table ideal_sums has those of
-- registered measures.
select
    judgment_set_id, measure, query_id,
    sum_in_order(term, position) as total
from terms
where side = 'ideal' and list_id = 0 and judgment_set_id <> 0
group by all
