-- One row is a query with the grades of the first documents as one string: a
-- digit each, > above 9, - where nobody judged and . where a negative grade
-- says so (trec_eval's relstring).
select
    rankings.query_id,
    string_agg(
        case
            when hits.grade is null then '-'
            when hits.grade < 0 then '.'
            when hits.grade > 9 then '>'
            else cast(cast(hits.grade as integer) as varchar)
        end,
        ''
        order by rankings.position
    ) as relevance_string

from rankings

left join hits
    on
        rankings.run_id = hits.run_id
        and rankings.query_id = hits.query_id
        and rankings.doc_id = hits.doc_id

where
    rankings.run_id = $run_id
    and rankings.position <= $length

group by rankings.query_id
