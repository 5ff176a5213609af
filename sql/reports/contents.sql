-- One row is a judgment set, a set of assessments or a run. A judgment set also
-- has the names of the sets that it was built from, and the policy; a run has its
-- tags.
with tags as (
    select
        run_tags.run_id,
        list(run_tags.tag || '=' || run_tags.tag_value order by run_tags.tag) as tags
    from run_tags
    group by run_tags.run_id
),

parents as (
    select
        judgment_set_parents.judgment_set_id,
        list(judgment_set_parents.parent_name order by judgment_set_parents.parent_id) as parents
    from judgment_set_parents
    group by judgment_set_parents.judgment_set_id
),

assessed as (
    select
        assessments.assessment_set_id,
        count(distinct row(assessments.query_id, assessments.doc_id)) as documents
    from assessments
    group by assessments.assessment_set_id
)

select
    'judgments' as kind,
    judgment_sets.dataset, judgment_sets.name,
    judgment_sets.query_count as queries,
    judgment_sets.judgment_count as documents,
    judgment_sets.loaded_at, judgment_sets.source,
    judgment_sets.judgment_set_id as id,
    judgment_sets.policy, parents.parents,
    null as tags
from judgment_sets
left join parents using (judgment_set_id)
where coalesce($dataset, judgment_sets.dataset) = judgment_sets.dataset
union all
select
    'assessments' as kind,
    assessment_sets.dataset, assessment_sets.name,
    assessment_sets.query_count as queries,
    coalesce(assessed.documents, 0) as documents,
    assessment_sets.loaded_at, assessment_sets.source,
    assessment_sets.assessment_set_id as id,
    null as policy,
    null as parents,
    null as tags
from assessment_sets
left join assessed using (assessment_set_id)
where coalesce($dataset, assessment_sets.dataset) = assessment_sets.dataset
union all
select
    'run' as kind,
    runs.dataset, runs.name,
    runs.query_count as queries,
    runs.document_count as documents,
    runs.loaded_at, runs.source,
    runs.run_id as id,
    null as policy,
    null as parents,
    tags.tags
from runs
left join tags using (run_id)
where coalesce($dataset, runs.dataset) = runs.dataset
order by dataset, kind, id
