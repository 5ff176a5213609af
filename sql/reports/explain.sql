-- One row is a position of a ranking next to the ideal ranking, as a measure sees them (steps: see
-- ndcg_steps). run_position is where the run has the document that the ideal ranking has here.
select
    measure, steps.position, steps.doc_id, title, grade, gain, discount, discounted_gain, dcg,
    ideal_doc_id, ideal_gain, ideal_dcg,
    rankings.position as run_position
from steps
left join rankings
    on
        steps.run_id = rankings.run_id
        and steps.query_id = rankings.query_id
        and steps.ideal_doc_id = rankings.doc_id
left join documents
    on documents.dataset = $dataset and steps.doc_id = documents.doc_id
order by list_position($measures, measure), steps.position
