-- One row is a part of a warehouse that readers may have already: the rows of
-- one kind of relation (see sql/relations.csv) for one run, set or dataset. Its
-- fingerprint changes whenever a row of these relations may change; part is the
-- id or the name; size is the number of rows of the longest table behind it.
-- What is loaded never changes, so its content_hash stands for it.
with registered as (

    select
        hash(
            $versions,
            (
                select bit_xor(hash(measures))

                from measures
            ),
            (
                select bit_xor(hash(measure_names))

                from measure_names
            ),
            (
                select bit_xor(hash(measure_datasets))

                from measure_datasets
            ),
            (
                select bit_xor(hash(gains))

                from gains
            )
        ) as fingerprint

),

datasets as (

    select runs.dataset

    from runs

    union

    select judgment_sets.dataset

    from judgment_sets

    union

    select assessment_sets.dataset

    from assessment_sets

    union

    select queries.dataset

    from queries

    union

    select query_attributes.dataset

    from query_attributes

    union

    select documents.dataset

    from documents

),

fingerprints_of_sets as (

    select
        judgment_sets.dataset,
        judgment_sets.judgment_set_id,
        hash($versions, judgment_sets) as fingerprint,
        judgment_sets.judgment_count as size

    from judgment_sets

),

fingerprints_of_runs as (

    select
        runs.dataset,
        runs.run_id,
        hash($versions, runs) as fingerprint,
        runs.document_count as size

    from runs

),

fingerprints_of_queries as (

    select
        queries.dataset,
        bit_xor(hash(queries)) as fingerprint

    from queries

    group by queries.dataset

),

fingerprints_of_attributes as (

    select
        query_attributes.dataset,
        bit_xor(hash(query_attributes)) as fingerprint,
        count(*) as size

    from query_attributes

    group by query_attributes.dataset

),

fingerprints_of_documents as (

    select
        documents.dataset,
        bit_xor(hash(documents)) as fingerprint,
        count(*) as size

    from documents

    group by documents.dataset

),

fingerprints_of_evaluations as (

    select
        evaluations.run_id,
        bit_xor(
            hash(
                evaluations.judgment_set_id,
                evaluations.answered,
                evaluations.unanswered,
                evaluations.unjudged_queries,
                fingerprints_of_sets.fingerprint
            )
        ) as fingerprint

    from evaluations

    inner join fingerprints_of_sets
        on
            evaluations.judgment_set_id
            = fingerprints_of_sets.judgment_set_id

    group by evaluations.run_id

),

fingerprints_of_values as (

    select
        stored_run_values.run_id,
        bit_xor(hash(stored_run_values)) as fingerprint

    from stored_run_values

    group by stored_run_values.run_id

),

fingerprints_of_evaluated_runs as (

    select
        fingerprints_of_runs.dataset,
        fingerprints_of_runs.run_id,
        hash(
            fingerprints_of_runs.fingerprint,
            fingerprints_of_evaluations.fingerprint,
            fingerprints_of_values.fingerprint,
            fingerprints_of_queries.fingerprint,
            fingerprints_of_attributes.fingerprint,
            registered.fingerprint
        ) as fingerprint,
        fingerprints_of_runs.size

    from fingerprints_of_runs

    cross join registered

    left join fingerprints_of_evaluations
        on fingerprints_of_runs.run_id = fingerprints_of_evaluations.run_id

    left join fingerprints_of_values
        on fingerprints_of_runs.run_id = fingerprints_of_values.run_id

    left join fingerprints_of_queries
        on fingerprints_of_runs.dataset = fingerprints_of_queries.dataset

    left join fingerprints_of_attributes
        on fingerprints_of_runs.dataset = fingerprints_of_attributes.dataset

),

fingerprints_of_comparisons as (

    select
        fingerprints_of_evaluated_runs.dataset,
        bit_xor(fingerprints_of_evaluated_runs.fingerprint) as fingerprint

    from fingerprints_of_evaluated_runs

    group by fingerprints_of_evaluated_runs.dataset

),

-- What is stated of a dataset depends on all that belongs to it.
of_datasets as (

    select
        fingerprints_of_evaluated_runs.dataset,
        fingerprints_of_evaluated_runs.fingerprint

    from fingerprints_of_evaluated_runs

    union all

    select
        fingerprints_of_sets.dataset,
        fingerprints_of_sets.fingerprint

    from fingerprints_of_sets

    union all

    select
        runs.dataset,
        hash(runs.run_id, run_tags.tag, run_tags.tag_value) as fingerprint

    from run_tags

    inner join runs
        on run_tags.run_id = runs.run_id

    union all

    select
        judgment_sets.dataset,
        hash(
            judgment_set_parents.judgment_set_id,
            judgment_set_parents.parent_kind,
            judgment_set_parents.parent_id,
            judgment_set_parents.parent_name,
            judgment_set_parents.content_hash
        ) as fingerprint

    from judgment_set_parents

    inner join judgment_sets
        on judgment_set_parents.judgment_set_id = judgment_sets.judgment_set_id

    union all

    select
        assessment_sets.dataset,
        hash('assessments', assessment_sets) as fingerprint

    from assessment_sets

    union all

    select
        fingerprints_of_queries.dataset,
        hash('queries', fingerprints_of_queries.fingerprint) as fingerprint

    from fingerprints_of_queries

    union all

    select
        fingerprints_of_attributes.dataset,
        hash('attributes', fingerprints_of_attributes.fingerprint)
            as fingerprint

    from fingerprints_of_attributes

),

fingerprints_of_datasets as (

    select
        datasets.dataset,
        hash(
            bit_xor(of_datasets.fingerprint),
            any_value(registered.fingerprint)
        ) as fingerprint

    from datasets

    cross join registered

    left join of_datasets
        on datasets.dataset = of_datasets.dataset

    group by datasets.dataset

),

parts as (

    select
        'registered' as kind,
        '' as dataset,
        '' as part,
        registered.fingerprint,
        0 as size

    from registered

    union all

    select
        'dataset' as kind,
        fingerprints_of_datasets.dataset,
        fingerprints_of_datasets.dataset as part,
        fingerprints_of_datasets.fingerprint,
        0 as size

    from fingerprints_of_datasets

    union all

    select
        'documents' as kind,
        fingerprints_of_documents.dataset,
        fingerprints_of_documents.dataset as part,
        hash($versions, fingerprints_of_documents.fingerprint) as fingerprint,
        fingerprints_of_documents.size

    from fingerprints_of_documents

    union all

    select
        'attributes' as kind,
        fingerprints_of_attributes.dataset,
        fingerprints_of_attributes.dataset as part,
        hash($versions, fingerprints_of_attributes.fingerprint) as fingerprint,
        fingerprints_of_attributes.size

    from fingerprints_of_attributes

    union all

    select
        'assessment_set' as kind,
        assessment_sets.dataset,
        cast(assessment_sets.assessment_set_id as varchar) as part,
        hash($versions, assessment_sets) as fingerprint,
        assessment_sets.assessment_count as size

    from assessment_sets

    union all

    select
        'judgment_set' as kind,
        fingerprints_of_sets.dataset,
        cast(fingerprints_of_sets.judgment_set_id as varchar) as part,
        fingerprints_of_sets.fingerprint,
        fingerprints_of_sets.size

    from fingerprints_of_sets

    union all

    select
        'ideal' as kind,
        fingerprints_of_sets.dataset,
        cast(fingerprints_of_sets.judgment_set_id as varchar) as part,
        hash(fingerprints_of_sets.fingerprint, registered.fingerprint)
            as fingerprint,
        fingerprints_of_sets.size

    from fingerprints_of_sets

    cross join registered

    union all

    select
        'run' as kind,
        fingerprints_of_runs.dataset,
        cast(fingerprints_of_runs.run_id as varchar) as part,
        fingerprints_of_runs.fingerprint,
        fingerprints_of_runs.size

    from fingerprints_of_runs

    union all

    -- A run is compared with all others of its dataset.
    select
        'baseline' as kind,
        fingerprints_of_runs.dataset,
        cast(fingerprints_of_runs.run_id as varchar) as part,
        fingerprints_of_comparisons.fingerprint,
        fingerprints_of_runs.size

    from fingerprints_of_runs

    inner join fingerprints_of_comparisons
        on fingerprints_of_runs.dataset = fingerprints_of_comparisons.dataset

    union all

    select
        'evaluated_run' as kind,
        fingerprints_of_evaluated_runs.dataset,
        cast(fingerprints_of_evaluated_runs.run_id as varchar) as part,
        fingerprints_of_evaluated_runs.fingerprint,
        fingerprints_of_evaluated_runs.size

    from fingerprints_of_evaluated_runs

)

select
    parts.kind,
    parts.dataset,
    parts.part,
    cast(parts.fingerprint as varchar) as fingerprint,
    parts.size

from parts

order by
    parts.kind,
    parts.dataset,
    try_cast(parts.part as bigint),
    parts.part
