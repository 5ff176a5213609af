-- One row is a group of the judged queries of an evaluation (see query_groups) and a measure of
-- runs, with the number of these queries that are answered or not, that are shown anything (n),
-- what all of them are shown down to the depth of the measure, and the size of the catalogue.
with totals as (
    select
        run_id, judgment_set_id, attribute, slice, basis, depth,
        sum(distinct_documents) as distinct_documents,
        sum(outside) as outside,
        sum(distinct_documents * times) as shown
    from shown_counts
    group by all
),

catalogues as (
    select
        dataset,
        count(*) as catalogue_size
    from documents
    group by all
),

answers as (
    select
        run_id, judgment_set_id, attribute, slice, measure,
        count(*) filter (retrieved > 0) as answered,
        count(*) filter (retrieved = 0) as unanswered,
        count(*) filter (shown > 0) as n
    from shown_queries
    inner join query_groups using (judgment_set_id, query_id)
    group by all
)

select
    answers.*,
    family, settings.basis, settings.depth,
    coalesce(distinct_documents, 0) as distinct_documents,
    coalesce(outside, 0) as outside,
    coalesce(shown, 0) as shown,
    coalesce(catalogue_size, 0) as catalogue_size
from answers
inner join settings using (measure)
inner join runs using (run_id)
left join totals
    on
        answers.run_id = totals.run_id
        and answers.judgment_set_id = totals.judgment_set_id
        and answers.attribute is not distinct from totals.attribute
        and answers.slice is not distinct from totals.slice
        and settings.basis = totals.basis
        and settings.depth = totals.depth
left join catalogues using (dataset)
where summary = 'none'
