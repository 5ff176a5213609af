-- One row is a query with relevant documents in a judgment set, for a measure
-- that asks for them; relevant is R, their number, returned or not.
select
    judgments.judgment_set_id,
    judgments.query_id,
    relevance_measures.measure,
    relevance_measures.family,
    count(*) as relevant

from judgments

inner join relevance_measures
    on judgments.grade >= relevance_measures.rel

where judgments.grade >= 0

group by
    judgments.judgment_set_id,
    judgments.query_id,
    relevance_measures.measure,
    relevance_measures.family
