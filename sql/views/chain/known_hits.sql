-- One row is a hit as the run returned it (known = 'keep'), or without documents that the query
-- knows ('omit').
select
    *,
    'keep' as known
from hits
union all
select * from new_hits
