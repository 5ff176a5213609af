-- One row is an unjudged document that a run returned, under a registered
-- measure: the value that its query would have if the document had the best
-- grade of the judgment set. difference is that value minus the present one.
-- Measures for which this cannot be computed are omitted. Filter by run,
-- measure and query_id: each value is computed for each answer. Runs that
-- another engine evaluated (see engine in evaluations) have no rows.
select
    unjudged_document_values.dataset,
    unjudged_document_values.run,
    unjudged_document_values.judgment_set,
    unjudged_document_values.query_id,
    unjudged_document_values.position,
    unjudged_document_values.doc_id,
    unjudged_document_values.measure,
    unjudged_document_values.value,
    unjudged_document_values.value_if_best,
    unjudged_document_values.difference,
    unjudged_document_values.run_id,
    unjudged_document_values.judgment_set_id

from store.unjudged_document_values
