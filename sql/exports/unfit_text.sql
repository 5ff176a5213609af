-- The first row with an id or label that would not load again from a format.
-- TREC formats separate fields by whitespace and have comment lines.
with texts as (
    select
        row_number() over () as place,
        answer_rows.query_id, answer_rows.doc_id,
        concat_ws('|', *columns('^(query_id|subtopic|doc_id|label)$')) as held
    from answer_rows
)

select
    texts.query_id, texts.doc_id,
    case
        when contains(texts.held, chr(65279)) then 'a byte order mark'
        when regexp_matches(texts.held, '\r([^\n]|$)') then 'a carriage return'
        when starts_with(texts.query_id, '#') then 'a # that begins a line'
        else 'a blank or line end'
    end as fault
from texts
where
    (
        $form in ('trec', 'csv', 'tsv')
        and (contains(texts.held, chr(65279)) or regexp_matches(texts.held, '\r([^\n]|$)'))
    )
    or (
        $form = 'trec'
        and (regexp_matches(texts.held, '[ \t\r\n]') or starts_with(texts.query_id, '#'))
    )
order by texts.place
limit 1
