-- In how many searches the events of each query were made: those with the same
-- search_id are of one search, each one without is of a search of its own.
select
    source_rows.query_id,
    nullif(source_rows.search_id, '') as search_id,
    cast(
        case
            when coalesce(source_rows.search_id, '') = '' then sum(source_rows.event_count)
            else 1
        end as bigint
    ) as searches
from source_rows
inner join actions using (action_number)
where actions.event_action <> 'impression'
group by
    source_rows.query_id,
    nullif(source_rows.search_id, ''),
    coalesce(source_rows.search_id, '') = ''
