-- One row is a judged query of an evaluation and a measure of whole rankings,
-- with the number of documents that the run shows down to the cutoff. Rankings
-- that are elsewhere show nothing here.
select
    listed_queries.run_id,
    listed_queries.run,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    shown_measures.measure,
    shown_measures.family,
    listed_queries.retrieved,
    least(shown_measures.cutoff, listed_queries.listed) as shown

from listed_queries

inner join shown_measures using (known)

where
    not listed_queries.judged_only
    and listed_queries.run_id not in (
        select external_evaluations.run_id
        from external_evaluations
    )
