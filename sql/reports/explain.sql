-- One row is a position of a ranking next to the ideal ranking, as a measure
-- sees them. run_position is the position at which the run has the document
-- that the ideal ranking has here.
select
    ndcg_steps.measure,
    ndcg_steps.position,
    ndcg_steps.doc_id,
    documents.title,
    ndcg_steps.grade,
    ndcg_steps.gain,
    ndcg_steps.discount,
    ndcg_steps.discounted_gain,
    ndcg_steps.dcg,
    ndcg_steps.ideal_doc_id,
    ndcg_steps.ideal_gain,
    ndcg_steps.ideal_dcg,
    rankings.position as run_position

from ndcg_steps

left join rankings
    on
        ndcg_steps.run_id = rankings.run_id
        and ndcg_steps.query_id = rankings.query_id
        and ndcg_steps.ideal_doc_id = rankings.doc_id

left join runs
    on ndcg_steps.run_id = runs.run_id

left join documents
    on
        runs.dataset = documents.dataset
        and ndcg_steps.doc_id = documents.doc_id

where
    ndcg_steps.run_id = $run_id
    and ndcg_steps.judgment_set_id = $judgment_set_id
    and ndcg_steps.query_id = $query_id
    and list_contains($measures, ndcg_steps.measure)

order by
    list_position($measures, ndcg_steps.measure),
    ndcg_steps.position
