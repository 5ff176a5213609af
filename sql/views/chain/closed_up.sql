-- One row is a kind of list that is not as the run returned it and that some measure reads. Known
-- documents cannot be taken out of rankings that are elsewhere.
select distinct known, judged_only
from settings
where judged_only or known = 'omit'
