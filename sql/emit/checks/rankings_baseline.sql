-- rankings: no row is of the run of --compare; name another one
select count(*) as found
from given_rankings
where cast(given_rankings.run as varchar) = $baseline
having count(*) = 0
