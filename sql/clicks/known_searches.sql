-- Searches with the queries of the dataset that have their texts, the first of
-- several; the text itself is the query where the dataset has none.
with known as (
    select
        queries.text as query_text,
        min(queries.query_id) as query_id
    from queries
    where queries.dataset = $dataset
    group by queries.text
)

select
    searches.line_number, searches.search_id, searches.query_text, searches.hits,
    searches.hits_before, searches.assessed_at,
    coalesce(known.query_id, searches.query_text) as query_id
from searches
left join known using (query_text)
