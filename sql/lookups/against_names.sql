-- One row is a run that was loaded after a run whose name has the same words but
-- greater numbers, such as W46 after W47, if neither has a time of its own.
with numbered as (
    select
        runs.run_id, runs.name, runs.dataset,
        regexp_replace(runs.name, '[0-9]+', '0', 'g') as words,
        try_cast(regexp_extract_all(runs.name, '[0-9]+') as hugeint[]) as numbers
    from runs
    where list_contains($run_ids, runs.run_id) and runs.run_at is null
),

in_series as (
    select
        numbered.run_id, numbered.name,
        lag(numbered.name) over series as previous,
        numbered.dataset,
        numbered.numbers < lag(numbered.numbers) over series as is_older
    from numbered
    window series as (partition by numbered.dataset, numbered.words order by numbered.run_id)
)

select
    in_series.name, in_series.previous, in_series.dataset
from in_series
where in_series.is_older
order by in_series.run_id
