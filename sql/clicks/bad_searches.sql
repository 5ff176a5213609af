-- The searches that no event can belong to, and why: without an id or a text, or
-- with the id of another one.
select
    line_number,
    case
        when coalesce(search_id, '') = '' then 'no query_id'
        when coalesce(query_text, '') = '' then 'no user_query'
        else 'a query_id that occurs twice'
    end as reason
from searches
qualify
    coalesce(search_id, '') = ''
    or coalesce(query_text, '') = ''
    or count(*) over (partition by search_id) > 1
order by line_number
