-- One row is a document that some of the runs show for a query, with what it gets
-- from each of at most eight.
select
    tuned_queries.query_number,
    source_rows.doc_id,
    max(case when source_rows.place = 1 then source_rows.term end) as term_1,
    max(case when source_rows.place = 2 then source_rows.term end) as term_2,
    max(case when source_rows.place = 3 then source_rows.term end) as term_3,
    max(case when source_rows.place = 4 then source_rows.term end) as term_4,
    max(case when source_rows.place = 5 then source_rows.term end) as term_5,
    max(case when source_rows.place = 6 then source_rows.term end) as term_6,
    max(case when source_rows.place = 7 then source_rows.term end) as term_7,
    max(case when source_rows.place = 8 then source_rows.term end) as term_8

from source_rows

inner join tuned_queries using (query_id)

group by
    tuned_queries.query_number,
    source_rows.doc_id
