-- Whether a stored run has exactly the compared rows; those of a run that is placed by its
-- file, at the same positions. Otherwise, the order of the rows does not matter.
with differing as (
    from compared
    except
    select
        query_id, doc_id, score,
        case when $position_rule = 'given' then position end as position
    from rankings
    where run_id = $id
)

select
    position_rule = $position_rule
    and document_count = (select count(*) from compared)
    and not exists (from differing) as is_same
from runs
where run_id = $id
