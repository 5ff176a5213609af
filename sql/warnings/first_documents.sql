-- One document each of a run and of the judgment set, for a query of both.
select
    min(rankings.doc_id) as own,
    min(judgments.doc_id) as judged
from judgments
inner join rankings using (query_id)
where rankings.run_id = $run_id and judgments.judgment_set_id = $judgment_set_id
