-- One row is an evaluation and a measure of runs, with the number of judged
-- queries that are shown anything (n), what all of them are shown down to the
-- depth of the measure, and the size of the catalogue. outside is how many of
-- the documents are not in it. Rankings that are elsewhere show nothing here.
with answered as (

    select
        shown_queries.run_id,
        shown_queries.judgment_set_id,
        shown_queries.measure,
        count(case when shown_queries.shown > 0 then 1 end) as n

    from shown_queries

    group by
        shown_queries.run_id,
        shown_queries.judgment_set_id,
        shown_queries.measure

),

totals as (

    select
        shown_frequencies.run_id,
        shown_frequencies.judgment_set_id,
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
        shown_frequencies.judgment_set_id,
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
    answered.run_id,
    answered.judgment_set_id,
    answered.measure,
    shown_measures.family,
    shown_measures.known,
    shown_measures.depth,
    answered.n,
    coalesce(totals.distinct_documents, 0) as distinct_documents,
    coalesce(totals.outside, 0) as outside,
    coalesce(totals.shown, 0) as shown,
    coalesce(catalogues.catalogue_size, 0) as catalogue_size

from answered

inner join shown_measures using (measure)

inner join runs using (run_id)

left join totals using (run_id, judgment_set_id, known, depth)

left join catalogues using (dataset)

where shown_measures.summary = 'none'
