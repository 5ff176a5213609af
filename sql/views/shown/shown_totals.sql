-- One row is a group of the judged queries of an evaluation (see query_groups) and
-- a measure of runs, with the number of these queries that are shown anything (n),
-- what all of them are shown down to the depth of the measure, and the size of the
-- catalogue. outside is how many of the documents are not in it. Rankings that are
-- elsewhere show nothing here.
with totals as (

    select
        shown_frequencies.run_id,
        shown_frequencies.run,
        shown_frequencies.judgment_set_id,
        shown_frequencies.attribute,
        shown_frequencies.slice,
        shown_frequencies.known,
        shown_frequencies.depth,
        sum(shown_frequencies.distinct_documents) as distinct_documents,
        sum(shown_frequencies.outside) as outside,
        sum(
            shown_frequencies.distinct_documents * shown_frequencies.times
        ) as shown

    from shown_frequencies

    group by
        shown_frequencies.run_id,
        shown_frequencies.run,
        shown_frequencies.judgment_set_id,
        shown_frequencies.attribute,
        shown_frequencies.slice,
        shown_frequencies.known,
        shown_frequencies.depth

),

catalogues as (

    select
        documents.dataset,
        count(*) as catalogue_size

    from documents

    group by documents.dataset

)

select
    shown_answers.run_id,
    shown_answers.run,
    shown_answers.judgment_set_id,
    shown_answers.attribute,
    shown_answers.slice,
    shown_answers.measure,
    shown_measures.family,
    shown_measures.known,
    shown_measures.depth,
    shown_answers.n,
    coalesce(totals.distinct_documents, 0) as distinct_documents,
    coalesce(totals.outside, 0) as outside,
    coalesce(totals.shown, 0) as shown,
    coalesce(catalogues.catalogue_size, 0) as catalogue_size

from shown_answers

inner join shown_measures using (measure)

inner join runs
    on
        shown_answers.run_id = runs.run_id
        and shown_answers.run = runs.name

left join totals
    on
        shown_answers.run_id = totals.run_id
        and shown_answers.run = totals.run
        and shown_answers.judgment_set_id = totals.judgment_set_id
        and shown_answers.attribute is not distinct from totals.attribute
        and shown_answers.slice is not distinct from totals.slice
        and shown_measures.known = totals.known
        and shown_measures.depth = totals.depth

left join catalogues using (dataset)

where shown_measures.summary = 'none'
