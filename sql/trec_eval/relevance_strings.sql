-- One row is a query with the grades of the first documents as one string: a
-- digit for each, > above 9, - for a document without a judgment and . for a
-- negative grade (trec_eval's relstring).
select
    run_queries.query_id,
    string_agg(
        case
            when hits.grade is null then '-'
            when hits.grade < 0 then '.'
            when hits.grade > 9 then '>'
            else cast(cast(hits.grade as integer) as varchar)
        end,
        ''
        order by positions.position
    ) as relevance_string
from run_queries
inner join positions
    on run_queries.retrieved >= positions.position
left join hits using (run_id, query_id, position)
where run_queries.run_id = $run_id and positions.position <= $length
group by run_queries.query_id
