-- stored_ideals: a measure whose ideal sums are stored for a judgment set.
select distinct judgment_set_id, measure
from ideal_sums
