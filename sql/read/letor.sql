-- Rows of a learning-to-rank list, as SVMlight, LETOR and RankLib write it:
-- grade, qid:QUERY, feature:value..., # DOCUMENT. The query or the document is
-- empty if a line names none; a line of another form has no fields. The
-- document can be written "docid = DOCUMENT", as in LETOR.
with parts as (
    select
        source_rows.line_number,
        regexp_extract(
            source_rows.text_line,
            '^[ \t]*([^ \t#]+)([ \t]+qid:([^ \t#]+))?([ \t]+[0-9]+:[^ \t#]+)*'
            || '[ \t]*(#[ \t]*(docid[ \t]*=[ \t]*)?([^ \t]*).*)?$',
            [
                'grade',
                'qid',
                'query',
                'feature',
                'comment',
                'prefix',
                'document'
            ]
        ) as named
    from source_rows
    where trim(source_rows.text_line, chr(9) || ' ') <> ''
)

select
    parts.line_number,
    case
        when parts.named.grade = '' then []
        else [parts.named.grade, parts.named.query, parts.named.document]
    end as fields
from parts
