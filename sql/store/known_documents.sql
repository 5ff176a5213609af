-- A row without a count counts once; the rows of a document of a query are
-- counted together, and the last time is kept.
insert into known_documents (dataset, query_id, doc_id, known_count, known_at)
select
    $dataset as dataset,
    query_id, doc_id,
    cast(sum(coalesce(known_count, 1)) as bigint) as known_count,
    max(assessed_at) as known_at
from staged
group by all
order by query_id, doc_id
