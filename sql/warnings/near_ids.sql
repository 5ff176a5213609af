-- The run of which the most unmatched ids are nearly unmatched ids of judgments: an
-- example of both, how many ids of the run, how many of the judgments, and of how many
-- other runs the same is true.
with pairs as (
    select
        source_rows.run_id, source_rows.query_id, source_rows.folded_id,
        count_if(not source_rows.is_judged) as run_ids,
        count_if(source_rows.is_judged) as judged_ids,
        min(source_rows.id) filter (where not source_rows.is_judged) as run_example,
        min(source_rows.id) filter (where source_rows.is_judged) as judged_example
    from source_rows
    group by all
    having bool_or(source_rows.is_judged) and not bool_and(source_rows.is_judged)
)

select
    min_by(pairs.run_example, (pairs.query_id, pairs.folded_id)) as own,
    min_by(pairs.judged_example, (pairs.query_id, pairs.folded_id)) as judged,
    runs.name as run,
    runs.query_count as queries,
    cast(sum(pairs.run_ids) as bigint) as run_ids,
    cast(sum(pairs.judged_ids) as bigint) as judged_ids,
    count(*) over () - 1 as more
from pairs
inner join runs using (run_id)
group by runs.run_id, runs.name, runs.query_count
-- Several are no chance: one may be another one in truth.
having if(bool_and(pairs.query_id is null), sum(pairs.run_ids), sum(pairs.judged_ids)) >= $least
order by run_ids desc, runs.run_id asc
limit 1
