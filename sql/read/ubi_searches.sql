-- Searches as UBI's index ubi_queries has them, an object on each line, or in the
-- _source of one: its id, the text of its query, the objects that it showed, in
-- their order, how many stood before them on earlier pages, and its time. What
-- OpenSearch writes between objects is omitted.
with objects as (
    select
        source_rows.line_number,
        case
            when json_valid(source_rows.text_line)
                then
                    coalesce(
                        json_extract(source_rows.text_line, '$._source'),
                        cast(source_rows.text_line as json)
                    )
        end as search
    from source_rows
    where regexp_matches(source_rows.text_line, '[^\p{Zs}]')
),

-- The query as OpenSearch got it is a text, and may be of any form.
requests as (
    select
        objects.line_number, objects.search,
        case
            when json_valid(json_extract_string(objects.search, '$.query'))
                then
                    try_cast(
                        json_extract_string(
                            json_extract_string(objects.search, '$.query'),
                            '$.from'
                        ) as integer
                    )
        end as first_hit
    from objects
)

select
    requests.line_number,
    json_extract_string(requests.search, '$.query_id') as search_id,
    json_extract_string(requests.search, '$.user_query') as query_text,
    -- Versions of the specification name the list differently. A search that has
    -- two of them says the same twice, by the ids of objects and of the index.
    coalesce(
        nullif(json_extract_string(requests.search, '$.query_response_object_ids[*]'), []),
        nullif(json_extract_string(requests.search, '$.query_response_objects_ids[*]'), []),
        nullif(json_extract_string(requests.search, '$.query_response_hit_ids[*]'), []),
        []
    ) as hits,
    case
        when requests.first_hit between 0 and 1e9 then requests.first_hit
        else 0
    end as hits_before,
    trim(json_extract_string(requests.search, '$.timestamp')) as time_text
from requests
where
    requests.search is null
    or json_exists(requests.search, '$.query_id')
    or not (json_exists(requests.search, '$.index') or json_exists(requests.search, '$.create'))
