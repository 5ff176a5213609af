-- One row is a document of the runs that is judged.
select
    row_number() over () as hit_number,
    judgments.grade,
    tuned_queries.query_id,
    tuned_documents.*

from tuned_documents

inner join tuned_queries using (query_number)

inner join judgments using (query_id, doc_id)

where judgments.judgment_set_id = $judgment_set_id
