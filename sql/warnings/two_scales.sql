-- One row, if the judgments that a new set is built on are fractions that clicks made,
-- and all that are new are whole numbers: the range of the former and of the latter.
with base as (
    select
        min(grade) as base_lowest,
        max(grade) as base_highest
    from base_judgments
    having bool_or(grade <> trunc(grade))
),

added as (
    select
        min(grade) as lowest,
        max(grade) as highest
    from staged
    anti join base_judgments using (query_id, doc_id)
    where grade >= 0
    having not bool_or(grade <> trunc(grade))
)

select base_lowest, base_highest, lowest, highest
from base
cross join added
semi join judgment_sets on judgment_set_id = $base_id and policy in ('coec', 'ctr')
