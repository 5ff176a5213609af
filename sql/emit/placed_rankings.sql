-- A returned document at its given position.
select
    cast(given_rankings.run as varchar) as run_id,
    cast(given_rankings.query_id as varchar) as query_id,
    cast(given_rankings.doc_id as varchar) as doc_id,
    cast(given_rankings.position as bigint) as position,
    cast(null as double) as score
from given_rankings
