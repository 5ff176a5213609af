-- One row is a relevant document that a run returned; best_precision is the
-- highest precision at its position or at any below it.
select
    relevant_hits.run_id,
    relevant_hits.judgment_set_id,
    relevant_hits.query_id,
    relevant_hits.measure,
    relevant_hits.family,
    relevant_hits.found,
    max(relevant_hits.found / relevant_hits.position) over (
        partition by
            relevant_hits.run_id,
            relevant_hits.judgment_set_id,
            relevant_hits.query_id,
            relevant_hits.measure,
            relevant_hits.family
        order by relevant_hits.found desc
        rows between unbounded preceding and current row
    ) as best_precision

from relevant_hits
