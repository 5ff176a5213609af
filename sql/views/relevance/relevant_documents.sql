-- One row is a query with relevant documents in a judgment set, for a measure
-- of relevant documents. relevant is R, the number of relevant documents,
-- returned or not.
select
    relevant_judgments.judgment_set_id,
    relevant_judgments.query_id,
    relevance_measures.measure,
    relevance_measures.family,
    relevant_judgments.relevant

from relevant_judgments

inner join relevance_measures using (rel, known)
