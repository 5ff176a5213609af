-- One row is a judgment set or a run.
select
    'judgments' as kind,
    judgment_sets.dataset,
    judgment_sets.name,
    judgment_sets.query_count as queries,
    judgment_sets.judgment_count as documents,
    judgment_sets.loaded_at,
    judgment_sets.source,
    judgment_sets.judgment_set_id as id

from judgment_sets

union all

select
    'assessments' as kind,
    assessment_sets.dataset,
    assessment_sets.name,
    assessment_sets.query_count as queries,
    assessment_sets.assessment_count as documents,
    assessment_sets.loaded_at,
    assessment_sets.source,
    assessment_sets.assessment_set_id as id

from assessment_sets

union all

select
    'run' as kind,
    runs.dataset,
    runs.name,
    runs.query_count as queries,
    runs.document_count as documents,
    runs.loaded_at,
    runs.source,
    runs.run_id as id

from runs

order by
    dataset,
    kind,
    id
