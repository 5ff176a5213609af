-- One row is a relation that grows with the pairs of runs or sets, with slices, or
-- with the positions of every ranking, with the number of rows that it has at most;
-- slice_history counts the values that are added up, as those of all runs are each
-- time that a run is new.
with evaluated as (
    select
        runs.dataset, stored_run_values.run_id, stored_run_values.judgment_set_id,
        stored_run_values.measure,
        evaluations.answered + evaluations.unanswered as judged,
        measures.dcg_kind is not null as has_steps,
        coalesce(measures.cutoff, 100) as depth
    from stored_run_values
    inner join evaluations using (run_id, judgment_set_id)
    inner join runs using (run_id)
    left join measures using (measure)
),

series_of_runs as (
    select
        run_series.run_id,
        count(*) as series
    from run_series
    group by run_series.run_id
),

pairs_of_runs as (
    select
        kept_pairs.dataset,
        sum(kept_pairs.measures) as pairs,
        sum(kept_pairs.size) as size
    from kept_pairs
    group by kept_pairs.dataset
),

pairs_of_sets as (
    select count(*) * (count(*) - 1) * max(evaluated.judged) as size
    from evaluated
    group by evaluated.run_id, evaluated.measure
)

select
    unnest(['comparisons', 'slice_comparisons']) as relation,
    unnest(
        [
            coalesce(sum(pairs_of_runs.size), 0),
            coalesce(sum(pairs_of_runs.pairs * slice_counts.slices), 0)
        ]
    ) as size
from pairs_of_runs
left join slice_counts using (dataset)
union all
select
    unnest(['slice_history', 'slice_values', 'ndcg_steps']) as relation,
    unnest(
        [
            coalesce(sum(evaluated.judged * slice_counts.attributes * series_of_runs.series), 0),
            coalesce(sum(slice_counts.slices), 0),
            coalesce(sum(evaluated.judged * evaluated.depth) filter (evaluated.has_steps), 0)
        ]
    ) as size
from evaluated
left join slice_counts using (dataset)
inner join series_of_runs using (run_id)
union all
select
    'value_changes' as relation,
    coalesce(sum(pairs_of_sets.size), 0) as size
from pairs_of_sets
union all
select
    'run_documents' as relation,
    coalesce(sum(least(runs.document_count, 10 * runs.query_count)), 0) as size
from runs
order by relation
