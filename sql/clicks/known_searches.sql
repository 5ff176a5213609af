-- Searches with the queries of the dataset that have their texts, the first of
-- several; the text itself is the query where the dataset has none.
with known as (
    select
        text as query_text,
        min(query_id) as query_id
    from queries
    where dataset = $dataset
    group by text
)

select
    line_number, search_id, query_text, hits, hits_before, assessed_at,
    coalesce(known.query_id, query_text) as query_id
from staged
left join known using (query_text)
