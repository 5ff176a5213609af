-- rankings: a document is there twice for a run and query; keep one of its rows
select
    cast(given_rankings.run as varchar) as run_id,
    cast(given_rankings.query_id as varchar) as query_id,
    cast(given_rankings.doc_id as varchar) as doc_id
from given_rankings
group by all
having count(*) > 1
