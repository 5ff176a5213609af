-- Whether a stored judgment set has exactly the compared rows, in any order, and
-- was not made from other sets.
with differing as (
    select query_id, doc_id, grade, label
    from compared
    except
    select query_id, doc_id, grade, label
    from judgments
    where judgment_set_id = $id
)

select
    policy is null
    and judgment_count = (select count(*) from compared)
    and not exists (from differing) as is_same
from judgment_sets
where judgment_set_id = $id
