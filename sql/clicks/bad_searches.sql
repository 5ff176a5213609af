-- The searches that no event can belong to, and why: without an id or a text, or
-- with the id of another one.
select
    searches.line_number,
    case
        when coalesce(searches.search_id, '') = '' then 'no query_id'
        when coalesce(searches.query_text, '') = '' then 'no user_query'
        else 'a query_id that occurs twice'
    end as reason
from searches
where
    coalesce(searches.search_id, '') = ''
    or coalesce(searches.query_text, '') = ''
    or searches.search_id in (
        select twice.search_id
        from searches as twice
        group by twice.search_id
        having count(*) > 1
    )
order by searches.line_number
