-- One row is an unjudged document: a run returned it for a judged query, but it
-- has no judgment or only a negative grade. Filter by run or query_id: the
-- judgments are looked up for each answer. Runs that another engine evaluated
-- (see engine in evaluations) have no rows.
select
    unjudged_documents.dataset,
    unjudged_documents.run,
    unjudged_documents.judgment_set,
    unjudged_documents.query_id,
    unjudged_documents.position,
    unjudged_documents.doc_id,
    unjudged_documents.run_id,
    unjudged_documents.judgment_set_id

from store.unjudged_documents
