-- One document each of a run and of the judgment set, for a query of both.
select
    min(rankings.doc_id) as run_document,
    min(judgments.doc_id) as judged_document

from judgments

inner join rankings
    on
        judgments.query_id = rankings.query_id
        and rankings.run_id = $run_id

where judgments.judgment_set_id = $judgment_set_id
