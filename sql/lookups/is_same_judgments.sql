-- Whether a stored judgment set has exactly the compared rows, in any order, and
-- was not made from other sets.
with differing as (
    select
        compared.query_id, compared.doc_id, compared.grade, compared.label
    from compared
    except
    select
        judgments.query_id, judgments.doc_id, judgments.grade, judgments.label
    from judgments
    where judgments.judgment_set_id = $id
)

select
    judgment_sets.policy is null
    and judgment_sets.judgment_count = (select count(*) from compared)
    and not exists (from differing) as is_same
from judgment_sets
where judgment_sets.judgment_set_id = $id
