-- One row is a position of a run's ranking under a measure of the gain family,
-- such as DCG or nDCG. It shows the document at the position, its grade, gain
-- and discount, and the DCG down to it; and the document, gain and DCG of the
-- ideal ranking at the same position. A document and its gain are null if the
-- ranking has none at the position. Filter by run and query_id: all positions
-- of what is left are computed for each answer. Runs that another engine
-- evaluated (see engine in evaluations) have no rows.
select
    ndcg_steps.dataset, ndcg_steps.run, ndcg_steps.judgment_set, ndcg_steps.query_id,
    ndcg_steps.measure,
    cast(ndcg_steps.position as integer) as position,
    ndcg_steps.doc_id, ndcg_steps.grade, ndcg_steps.gain, ndcg_steps.discount,
    ndcg_steps.discounted_gain, ndcg_steps.dcg, ndcg_steps.ideal_doc_id, ndcg_steps.ideal_gain,
    ndcg_steps.ideal_dcg, ndcg_steps.run_id, ndcg_steps.judgment_set_id
from store.ndcg_steps
inner join store.fitting_measures using (judgment_set_id, measure)
