-- One row is a dataset with judgments, if some measure takes known documents out (known='omit'). A
-- join with this reads nothing if no measure does.
select distinct dataset
from judgment_sets
cross join measures
where known = 'omit'
