-- One row is a run that was evaluated with a judgment set, with how many rows its
-- values are computed from at most: its hits, or the judgments, where each run has
-- an ideal list of its own.
with sizes as (
    select
        hits.run_id,
        count(*) as hit_count
    from hits
    where hits.judgment_set_id = $judgment_set_id
    group by hits.run_id
)

select
    evaluations.run_id,
    greatest(judgment_sets.judgment_count, coalesce(sizes.hit_count, 0)) as size
from evaluations
inner join judgment_sets using (judgment_set_id)
left join sizes using (run_id)
where evaluations.judgment_set_id = $judgment_set_id
order by evaluations.run_id
