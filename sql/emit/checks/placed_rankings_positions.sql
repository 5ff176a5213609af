-- rankings: two documents of a run and query have the same position, or a
-- position is not an integer; give each document a position of its own
select
    given_rankings.run, given_rankings.query_id, given_rankings.position
from given_rankings
group by given_rankings.run, given_rankings.query_id, given_rankings.position
having count(*) > 1 or floor(given_rankings.position) <> given_rankings.position
