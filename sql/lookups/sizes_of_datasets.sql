-- One row is a dataset that has judgments or runs.
with loaded as (
    select
        judgment_sets.dataset,
        1 as judgment_sets,
        0 as runs
    from judgment_sets
    union all
    select
        runs.dataset,
        0 as judgment_sets,
        1 as runs
    from runs
)

select
    loaded.dataset,
    sum(loaded.judgment_sets) as judgment_sets,
    sum(loaded.runs) as runs
from loaded
group by loaded.dataset
order by loaded.dataset
