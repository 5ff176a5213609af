-- Whether a stored run has exactly the compared rows, those of a run that is placed by its
-- file at the same positions, and no answer to the same queries ($empty). Otherwise, the
-- order of the rows does not matter.
with differing as (
    select query_id, doc_id, score, position
    from compared
    except
    select query_id, doc_id, score, if($rule = 'given', position, null) as position
    from rankings
    where run_id = $id
),

unanswered as (
    select coalesce(list(query_id order by query_id), []) as queries
    from run_queries
    where run_id = $id and retrieved = 0
)

select
    position_rule = $rule
    and document_count = (select count(*) from compared)
    and not exists (from differing)
    and queries = list_sort(list_distinct(cast($empty as varchar[]))) as is_same
from runs, unanswered
where run_id = $id
