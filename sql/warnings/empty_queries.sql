-- The queries that judgments name, but without a document.
select
    count(*) as queries,
    list(named.query_id) as examples
from (select unnest($queries) as query_id) as named
where named.query_id not in (select staged.query_id from staged)
having count(*) > 0
