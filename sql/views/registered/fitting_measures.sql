-- One row is a registered measure and a judgment set that it is evaluated with: it is meant for the
-- set, and the set has all that it needs.
select judgment_set_id, measure, family
from dataset_measures
anti join misfits using (judgment_set_id, measure)
