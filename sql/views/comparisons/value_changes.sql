-- One row is a row of rejudged_values. changes is the number of judgments of the
-- query that differ between the sets, returned_changes the number of those whose
-- documents the run returned.
with changed as (
    select
        judgment_set_id, other_judgment_set_id, query_id,
        count(*) as changes
    from judgment_changes
    group by all
),

returned as (
    select
        run_id, judgment_set_id, other_judgment_set_id, query_id,
        count(*) as returned_changes
    from evaluations
    inner join judgment_changes using (judgment_set_id)
    inner join rankings using (run_id, query_id, doc_id)
    group by all
)

select
    rejudged_values.*,
    coalesce(changes, 0) as changes,
    coalesce(returned_changes, 0) as returned_changes
from rejudged_values
left join changed using (judgment_set_id, other_judgment_set_id, query_id)
left join returned using (run_id, judgment_set_id, other_judgment_set_id, query_id)
