-- Rows of a file of scores, one for each row of a list, with the query and the
-- document of that row in front. A line contains a score, or query, index and
-- score as RankLib writes them, where the index is that of the row within its
-- query, from 0. A line of another form, or about another row, has no fields.
with numbered as (
    select
        source_rows.line_number, source_rows.fields,
        row_number() over (order by source_rows.line_number) as row_number
    from source_rows
)

select
    numbered.line_number,
    case
        when
            len(numbered.fields) = 1
            or (
                len(numbered.fields) = 3
                and numbered.fields[1] = listed.query_id
                and numbered.fields[2] = cast(listed.query_row as varchar)
            )
            then [listed.query_id, listed.doc_id, numbered.fields[-1]]
        else []
    end as fields
from numbered
left join listed using (row_number)
