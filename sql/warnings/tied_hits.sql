-- One row says that a judged document of a run has the same score as another
-- document of its ranking; there is none without ties.
select distinct true
from hits
where hits.tie_first < hits.tie_last
