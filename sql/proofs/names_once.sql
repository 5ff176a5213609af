-- table {table_name}: {key} is stored {row_count} times; restore the file from
-- a copy
with keys as (

    select
        'runs' as table_name,
        [cast(runs.run_id as varchar)] as key

    from runs

    union all

    select
        'runs' as table_name,
        [runs.dataset, runs.name] as key

    from runs

    union all

    select
        'judgment_sets' as table_name,
        [cast(judgment_sets.judgment_set_id as varchar)] as key

    from judgment_sets

    union all

    select
        'judgment_sets' as table_name,
        [judgment_sets.dataset, judgment_sets.name] as key

    from judgment_sets

    union all

    select
        'assessment_sets' as table_name,
        [cast(assessment_sets.assessment_set_id as varchar)] as key

    from assessment_sets

    union all

    select
        'assessment_sets' as table_name,
        [assessment_sets.dataset, assessment_sets.name] as key

    from assessment_sets

    union all

    select
        'judgment_set_parents' as table_name,
        [
            cast(judgment_set_parents.judgment_set_id as varchar),
            judgment_set_parents.parent_kind,
            cast(judgment_set_parents.parent_id as varchar)
        ] as key

    from judgment_set_parents

    union all

    select
        'run_tags' as table_name,
        [cast(run_tags.run_id as varchar), run_tags.tag] as key

    from run_tags

    union all

    select
        'queries' as table_name,
        [queries.dataset, queries.query_id] as key

    from queries

    union all

    select
        'documents' as table_name,
        [documents.dataset, documents.doc_id] as key

    from documents

    union all

    select
        'query_attributes' as table_name,
        [
            query_attributes.dataset,
            query_attributes.query_id,
            query_attributes.attribute
        ] as key

    from query_attributes

    union all

    select
        'measures' as table_name,
        [measures.measure] as key

    from measures

    union all

    select
        'measure_datasets' as table_name,
        [measure_datasets.measure, measure_datasets.dataset] as key

    from measure_datasets

    union all

    select
        'gains' as table_name,
        [gains.gain_scheme, cast(gains.grade as varchar)] as key

    from gains

)

select
    keys.table_name,
    keys.key,
    count(*) as row_count

from keys

group by
    keys.table_name,
    keys.key

having count(*) > 1

order by
    keys.table_name,
    keys.key
