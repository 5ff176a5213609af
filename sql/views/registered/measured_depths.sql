-- One row is a registered measure that looks at positions down to a depth, even if no run is as
-- deep.
select measure, depth
from settings
where depth < 1e9 and (ideal = 'perfect' or min_rel is not null)
