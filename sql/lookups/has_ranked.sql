-- Whether a dataset has any run or judgment set.
select
    exists (
        select 1
        from runs
        where runs.dataset = $dataset
    )
    or exists (
        select 1
        from judgment_sets
        where judgment_sets.dataset = $dataset
    ) as has_ranked
