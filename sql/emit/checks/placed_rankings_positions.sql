-- rankings: two documents of a run and query have the same position, or a
-- position is not an integer; give each document a position of its own
select
    cast(given_rankings.run as varchar) as run_id,
    cast(given_rankings.query_id as varchar) as query_id,
    given_rankings.position
from given_rankings
group by all
having count(*) > 1 or max(floor(given_rankings.position)) <> max(given_rankings.position)
