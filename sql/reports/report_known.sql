-- One row is the value of a measure for a run or a slice of its queries (see
-- report), with the mean share of known documents among the first k, where k is the
-- cutoff of the measure, or 10 if it has none. The share is null if nothing is known
-- in the dataset, or if the rankings of the run are elsewhere.
with chosen as (
    select run_id, judgment_set_id, runs.dataset
    from evaluations
    inner join runs using (run_id)
    where
        list_contains($run_ids, run_id)
        and list_contains($judgment_set_ids, judgment_set_id)
        and runs.dataset in (select dataset from known_documents)
        and query_count > 0
),

depths as (
    select distinct coalesce(cutoff, 10) as depth
    from measures
    where list_contains($measures, measure)
),

chosen_runs as (
    select distinct run_id, dataset
    from chosen
),

places as (
    select run_id, query_id, position
    from rankings
    inner join chosen_runs using (run_id)
    inner join known_documents using (dataset, query_id, doc_id)
),

parts as (
    select judgment_set_id, query_id, slice
    from query_groups
    where list_contains($judgment_set_ids, judgment_set_id) and (attribute is not null) = $sliced
),

-- Known documents are counted together for all queries that show the same number
-- of documents: a sum of whole numbers is the same in any order.
counts as (
    select
        run_id, judgment_set_id, slice, depth,
        least(depth, retrieved) as shown,
        count(*) as known
    from chosen
    inner join places using (run_id)
    inner join parts using (judgment_set_id, query_id)
    inner join run_queries using (run_id, query_id)
    inner join depths on position <= depth
    group by all
),

sums as (
    select
        run_id, judgment_set_id, slice, depth,
        sum(known / shown order by shown) as share_sum
    from counts
    group by all
)

select
    answer_rows.* exclude (row_number, standard_error),  -- noqa: RF02
    if(chosen.run_id is null, null, coalesce(share_sum, 0) / (answered + unanswered)) as known_at_k,
    standard_error
from answer_rows
inner join runs
    on answer_rows.dataset = runs.dataset and answer_rows.run = runs.name
inner join judgment_sets
    on answer_rows.dataset = judgment_sets.dataset and answer_rows.judgment_set = judgment_sets.name
left join chosen
    on runs.run_id = chosen.run_id and judgment_sets.judgment_set_id = chosen.judgment_set_id
left join sums
    on
        runs.run_id = sums.run_id
        and judgment_sets.judgment_set_id = sums.judgment_set_id
        and answer_rows.slice is not distinct from sums.slice
        and judged_depth = depth
order by row_number
