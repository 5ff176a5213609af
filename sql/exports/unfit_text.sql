-- The first row with an id or label that would not load again from a format.
-- TREC formats separate fields by whitespace and have comment lines.
with texts as (
    select
        row_number() over () as place,
        query_id, doc_id,
        concat_ws('|', *columns('^(query_id|subtopic|doc_id|label)$')) as held
    from answer_rows
)

select
    query_id, doc_id,
    case
        when contains(held, chr(65279)) then 'a byte order mark'
        when regexp_matches(held, '\r([^\n]|$)') then 'a carriage return'
        when starts_with(query_id, '#') then 'a # that begins a line'
        else 'a blank or line end'
    end as fault
from texts
where
    (
        $form in ('trec', 'csv', 'tsv')
        and (contains(held, chr(65279)) or regexp_matches(held, '\r([^\n]|$)'))
    )
    or ($form = 'trec' and (regexp_matches(held, '[ \t\r\n]') or starts_with(query_id, '#')))
order by place
limit 1
