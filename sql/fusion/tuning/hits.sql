-- One row is a document of the runs that is judged.
select
    row_number() over () as hit_number,
    grade, query_id,
    tuned_documents.*
from tuned_documents
inner join tuned_queries using (query_number)
inner join judgments using (query_id, doc_id)
where judgment_set_id = $judgment_set_id
