-- table {table_name}: {row_count} rows belong to the {kind} number {id}, which
-- does not exist; restore the file from a copy
with orphans as (

    select
        'rankings' as table_name,
        'run' as kind,
        rankings.run_id as id

    from rankings

    where rankings.run_id not in (select runs.run_id from runs)

    union all

    select
        'run_tags' as table_name,
        'run' as kind,
        run_tags.run_id as id

    from run_tags

    where run_tags.run_id not in (select runs.run_id from runs)

    union all

    select
        'run_queries' as table_name,
        'run' as kind,
        run_queries.run_id as id

    from run_queries

    where run_queries.run_id not in (select runs.run_id from runs)

    union all

    select
        'evaluations' as table_name,
        'run' as kind,
        evaluations.run_id as id

    from evaluations

    where evaluations.run_id not in (select runs.run_id from runs)

    union all

    select
        'hits' as table_name,
        'run' as kind,
        hits.run_id as id

    from hits

    where hits.run_id not in (select runs.run_id from runs)

    union all

    select
        'stored_values' as table_name,
        'run' as kind,
        stored_values.run_id as id

    from stored_values

    where stored_values.run_id not in (select runs.run_id from runs)

    union all

    select
        'stored_run_values' as table_name,
        'run' as kind,
        stored_run_values.run_id as id

    from stored_run_values

    where stored_run_values.run_id not in (select runs.run_id from runs)

    union all

    select
        'stored_weighted_values' as table_name,
        'run' as kind,
        stored_weighted_values.run_id as id

    from stored_weighted_values

    where stored_weighted_values.run_id not in (select runs.run_id from runs)

    union all

    select
        'external_evaluations' as table_name,
        'run' as kind,
        external_evaluations.run_id as id

    from external_evaluations

    where external_evaluations.run_id not in (select runs.run_id from runs)

    union all

    select
        'external_run_queries' as table_name,
        'run' as kind,
        external_run_queries.run_id as id

    from external_run_queries

    where external_run_queries.run_id not in (select runs.run_id from runs)

    union all

    select
        'external_hits' as table_name,
        'run' as kind,
        external_hits.run_id as id

    from external_hits

    where external_hits.run_id not in (select runs.run_id from runs)

    union all

    select
        'assessments' as table_name,
        'set of assessments' as kind,
        assessments.assessment_set_id as id

    from assessments

    where
        assessments.assessment_set_id not in (
            select assessment_sets.assessment_set_id from assessment_sets
        )

    union all

    select
        'external_evaluations' as table_name,
        'judgment set' as kind,
        external_evaluations.judgment_set_id as id

    from external_evaluations

    where
        external_evaluations.judgment_set_id not in (
            select judgment_sets.judgment_set_id from judgment_sets
        )

    union all

    select
        'external_hits' as table_name,
        'judgment set' as kind,
        external_hits.judgment_set_id as id

    from external_hits

    where
        external_hits.judgment_set_id not in (
            select judgment_sets.judgment_set_id from judgment_sets
        )

    union all

    select
        'judgments' as table_name,
        'judgment set' as kind,
        judgments.judgment_set_id as id

    from judgments

    where
        judgments.judgment_set_id not in (
            select judgment_sets.judgment_set_id from judgment_sets
        )

    union all

    select
        'judgment_set_parents' as table_name,
        'judgment set' as kind,
        judgment_set_parents.judgment_set_id as id

    from judgment_set_parents

    where
        judgment_set_parents.judgment_set_id not in (
            select judgment_sets.judgment_set_id from judgment_sets
        )

    union all

    select
        'evaluations' as table_name,
        'judgment set' as kind,
        evaluations.judgment_set_id as id

    from evaluations

    where
        evaluations.judgment_set_id not in (
            select judgment_sets.judgment_set_id from judgment_sets
        )

    union all

    select
        'hits' as table_name,
        'judgment set' as kind,
        hits.judgment_set_id as id

    from hits

    where
        hits.judgment_set_id not in (
            select judgment_sets.judgment_set_id from judgment_sets
        )

    union all

    select
        'stored_values' as table_name,
        'judgment set' as kind,
        stored_values.judgment_set_id as id

    from stored_values

    where
        stored_values.judgment_set_id not in (
            select judgment_sets.judgment_set_id from judgment_sets
        )

    union all

    select
        'stored_run_values' as table_name,
        'judgment set' as kind,
        stored_run_values.judgment_set_id as id

    from stored_run_values

    where
        stored_run_values.judgment_set_id not in (
            select judgment_sets.judgment_set_id from judgment_sets
        )

    union all

    select
        'stored_weighted_values' as table_name,
        'judgment set' as kind,
        stored_weighted_values.judgment_set_id as id

    from stored_weighted_values

    where
        stored_weighted_values.judgment_set_id not in (
            select judgment_sets.judgment_set_id from judgment_sets
        )

)

select
    orphans.table_name,
    orphans.kind,
    orphans.id,
    count(*) as row_count

from orphans

group by
    orphans.table_name,
    orphans.kind,
    orphans.id

order by
    orphans.table_name,
    orphans.id
