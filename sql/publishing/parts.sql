-- One row is a part of a public relation that readers may have already: its rows for one run, set
-- or dataset (part is the id or the name), or all of them. Its fingerprint changes whenever they
-- may change: it is that of all rows of the tables behind them that belong to all datasets, to the
-- part's dataset alone, or to the runs and sets that the part reads.
with owned as (
    select
        marks.table_name,
        hash(marks) as fingerprint,
        coalesce(
            marks.dataset, runs.dataset, judgment_sets.dataset, assessment_sets.dataset, ''
        ) as dataset,
        case
            when newer_run_id is not null then concat('pairs of ', newer_run_id)
            when run_id is not null then concat('run ', run_id)
            when judgment_set_id is not null then concat('judgments ', judgment_set_id)
            when assessment_set_id is not null then concat('assessments ', assessment_set_id)
            when marks.dataset is not null then concat('dataset ', marks.dataset)
            else ''
        end as owner
    from marks
    left join runs using (run_id)
    left join judgment_sets using (judgment_set_id)
    left join assessment_sets using (assessment_set_id)
),

members as (
    select
        'run_id' as part_column,
        dataset,
        run_id as part,
        run_id
    from runs
    union
    -- The comparisons of a run with older ones read all of these.
    select
        'newer_run_id' as part_column,
        dataset,
        newer_run_id as part,
        unnest([baseline_run_id, candidate_run_id]) as run_id
    from run_pairs
),

owners as (
    select
        part_column, dataset,
        cast(part as varchar) as part,
        unnest([concat('run ', run_id), concat('pairs of ', part)]) as owner
    from members
    union
    select part_column, dataset, cast(part as varchar), concat('judgments ', judgment_set_id)
    from members
    inner join evaluations using (run_id)
    union
    select 'judgment_set_id', dataset, judgment_set_id, concat('judgments ', judgment_set_id)
    from judgment_sets
    union
    select 'assessment_set_id', dataset, assessment_set_id, concat('assessments ', assessment_set_id)
    from assessment_sets
    union
    select 'dataset', dataset, dataset, owner
    from owned
    where dataset <> ''
    union
    select '', '', '', owner
    from owned
),

-- A part is there if a table has rows of its own, not only those that other parts read, too.
read_owners as (
    select
        *,
        true as is_own
    from owners
    union all
    select distinct
        part_column, dataset, part,
        unnest(if(part_column = 'dataset', [''], ['', concat('dataset ', dataset)])) as owner,
        false as is_own
    from owners
    where part_column <> ''
)

select
    relation, read_owners.dataset, part,
    cast(hash($versions, bit_xor(fingerprint)) as varchar) as fingerprint
from reads
inner join read_owners using (part_column)
inner join owned using (table_name, owner)
group by relation, read_owners.dataset, part
having bool_or(is_own)
order by relation, dataset, try_cast(part as bigint), part
