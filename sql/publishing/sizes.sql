-- One row is a relation that is too large: one that grows with the pairs of runs or sets, with slices, or with the
-- positions of every ranking, with the number of rows that it has at most. slice_history counts the
-- values that are added up, as those of all runs are each time that a run is new.
with slice_counts as (
    select
        dataset,
        count(distinct attribute) as attributes,
        count(distinct row(attribute, attribute_value)) as slices
    from query_attributes
    group by dataset
),

evaluated as (
    select
        run_id, measure, attributes, slices,
        answered + unanswered as judged,
        if(dcg_kind is null, null, coalesce(cutoff, 100)) as depth
    from stored_run_values
    inner join evaluations using (run_id, judgment_set_id)
    inner join runs using (run_id)
    left join measures using (measure)
    left join slice_counts using (dataset)
),

compared as (
    select judged, slices
    from run_pairs
    inner join evaluated
        on candidate_run_id = run_id
),

rejudged as (
    select count(*) * (count(*) - 1) * max(judged) as changes
    from evaluated
    group by run_id, measure
),

sizes as (
    select
        'comparisons' as relation,
        sum(judged) as size
    from compared
    union all
    select 'slice_comparisons', sum(slices) from compared
    union all
    select 'slice_history', sum(judged * attributes)
    from evaluated
    inner join run_series using (run_id)
    union all
    select 'slice_values', sum(slices) from evaluated
    union all
    select 'ndcg_steps', sum(judged * depth) from evaluated
    union all
    select 'value_changes', sum(changes) from rejudged
    union all
    select 'run_documents', sum(least(document_count, 10 * query_count)) from runs
)

select relation, size
from sizes
where size > cast($most_rows as bigint)
order by relation
