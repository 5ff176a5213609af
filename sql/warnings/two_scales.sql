-- One row, if the judgments that a new set is built on are fractions that clicks made,
-- and all that are new are whole numbers: the range of the former and of the latter.
with base as (
    select
        min(base_judgments.grade) as base_lowest,
        max(base_judgments.grade) as base_highest,
        bool_or(base_judgments.grade <> trunc(base_judgments.grade)) as has_fractions
    from base_judgments
),

added as (
    select
        min(staged.grade) as lowest,
        max(staged.grade) as highest,
        bool_or(staged.grade <> trunc(staged.grade)) as has_fractions
    from staged
    anti join base_judgments using (query_id, doc_id)
    where staged.grade >= 0
)

select
    base.base_lowest, base.base_highest, added.lowest, added.highest
from base
cross join added
inner join judgment_sets
    on judgment_sets.judgment_set_id = $base_id
where judgment_sets.policy in ('coec', 'ctr') and base.has_fractions and not added.has_fractions
