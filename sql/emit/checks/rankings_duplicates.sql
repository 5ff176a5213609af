-- rankings: a document is there twice for a run and query; keep one of its rows
select count(*) as documents

from given_rankings

group by
    given_rankings.run,
    cast(given_rankings.query_id as varchar),
    cast(given_rankings.doc_id as varchar)

having count(*) > 1
