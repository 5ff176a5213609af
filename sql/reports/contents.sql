-- One row is a judgment set, a set of assessments or a run. A judgment set also
-- has the names of the sets that it was built from, and the policy; a run has its
-- tags.
select
    'judgments' as kind,
    dataset, name,
    query_count as queries,
    judgment_count as documents,
    loaded_at, source,
    judgment_set_id as id,
    policy,
    list(parent_name order by parent_id) filter (parent_name is not null) as parents,
    null as tags
from judgment_sets
left join judgment_set_parents using (judgment_set_id)
where coalesce($dataset, dataset) = dataset
group by all
union all
select
    'assessments' as kind,
    dataset, name,
    query_count as queries,
    count(distinct row(query_id, doc_id)) filter (doc_id is not null) as documents,
    loaded_at, source,
    assessment_set_id as id,
    null as policy,
    null as parents,
    null as tags
from assessment_sets
left join assessments using (assessment_set_id)
where coalesce($dataset, dataset) = dataset
group by all
union all
select
    'run' as kind,
    dataset, name,
    query_count as queries,
    document_count as documents,
    loaded_at, source,
    run_id as id,
    null as policy,
    null as parents,
    list(tag || '=' || tag_value order by tag) filter (tag is not null) as tags
from runs
left join run_tags using (run_id)
where coalesce($dataset, dataset) = dataset
group by all
order by dataset, kind, id
