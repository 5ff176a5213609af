-- One row is a part of a public relation that readers may have already: its
-- rows for one run, set or dataset (part is the id or the name), or all of
-- them. Its fingerprint changes whenever they may change, as it is that of all
-- rows of the tables behind them: those of the same run or set, and what has
-- none, of the same dataset.
with placed as (
    select
        marks.table_name,
        coalesce(
            marks.dataset, runs.dataset, judgment_sets.dataset, assessment_sets.dataset
        ) as dataset,
        marks.run_id, marks.judgment_set_id, marks.assessment_set_id,
        hash(marks) as fingerprint  -- noqa: RF02
    from marks
    left join runs using (run_id)
    left join judgment_sets using (judgment_set_id)
    left join assessment_sets using (assessment_set_id)
),

part_columns as (
    select distinct reads.part_column
    from reads
),

members as (
    select distinct
        kept_pairs.newer_run_id,
        unnest([kept_pairs.baseline_run_id, kept_pairs.candidate_run_id]) as run_id
    from kept_pairs
),

pairs as (
    select
        'newer_run_id' as part_column,
        kept_pairs.dataset,
        cast(kept_pairs.newer_run_id as varchar) as part,
        bit_xor(
            -- The hashes of two columns, in both directions, have a common sum.
            hash(concat(kept_pairs.baseline_run_id, ' ', kept_pairs.candidate_run_id))
        ) as fingerprint
    from kept_pairs
    group by kept_pairs.dataset, kept_pairs.newer_run_id
),

-- What a table has for a part, or without a part for all parts of a dataset.
scoped as (
    select
        part_columns.part_column,
        case when part_columns.part_column <> '' then placed.dataset end as dataset,
        case part_columns.part_column
            when 'dataset' then placed.dataset
            when 'run_id' then cast(placed.run_id as varchar)
            when 'judgment_set_id' then cast(placed.judgment_set_id as varchar)
            when 'assessment_set_id' then cast(placed.assessment_set_id as varchar)
        end as part,
        placed.table_name, placed.fingerprint
    from placed
    cross join part_columns
    where
        case part_columns.part_column
            when 'run_id' then placed.run_id is not null or placed.judgment_set_id is null
            when 'newer_run_id' then placed.run_id is null
            else true
        end
    union all
    -- A run depends on the judgment sets that it was evaluated with.
    select
        'run_id' as part_column,
        placed.dataset,
        cast(evaluations.run_id as varchar) as part,
        placed.table_name, placed.fingerprint
    from placed
    inner join evaluations using (judgment_set_id)
    where placed.run_id is null
    union all
    -- The comparisons of a run with older ones depend on all of these.
    select
        'newer_run_id' as part_column,
        placed.dataset,
        cast(members.newer_run_id as varchar) as part,
        placed.table_name, placed.fingerprint
    from placed
    inner join members using (run_id)
),

marked as (
    select
        scoped.part_column, scoped.dataset, scoped.part, scoped.table_name,
        bit_xor(scoped.fingerprint) as fingerprint
    from scoped
    group by scoped.part_column, scoped.dataset, scoped.part, scoped.table_name
),

parts as (
    select distinct
        reads.relation, reads.part_column, marked.dataset, marked.part
    from reads
    inner join marked using (part_column, table_name)
    where marked.part is not null
    union all
    select distinct
        reads.relation, reads.part_column,
        '' as dataset,
        '' as part
    from reads
    where reads.part_column = ''
)

select
    parts.relation, parts.dataset, parts.part,
    cast(
        hash($versions, bit_xor(marked.fingerprint), any_value(pairs.fingerprint)) as varchar
    ) as fingerprint
from parts
inner join reads using (relation, part_column)
left join marked
    on
        parts.part_column = marked.part_column
        and reads.table_name = marked.table_name
        and coalesce(marked.dataset, parts.dataset) = parts.dataset
        and coalesce(marked.part, parts.part) = parts.part
left join pairs
    on parts.part_column = pairs.part_column and parts.part = pairs.part
group by parts.relation, parts.dataset, parts.part
order by parts.relation, parts.dataset, try_cast(parts.part as bigint), parts.part
