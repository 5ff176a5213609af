-- One row is a query with relevant documents in a judgment set, for each
-- threshold (rel) that some measure has. relevant is R, the number of relevant
-- documents, returned or not.
with thresholds as (

    select distinct relevance_measures.rel

    from relevance_measures

)

select
    judgments.judgment_set_id,
    judgments.query_id,
    thresholds.rel,
    count(*) as relevant

from judgments

inner join thresholds
    on judgments.grade >= thresholds.rel

where judgments.grade >= 0

group by
    judgments.judgment_set_id,
    judgments.query_id,
    thresholds.rel
