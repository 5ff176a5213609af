-- One row is a query with relevant documents in a judgment set, for each
-- threshold (rel) and kind of ranking (see listed_judgments) that some measure
-- has. relevant is R, the number of relevant documents, returned or not.
with thresholds as (

    select distinct
        relevance_measures.rel,
        relevance_measures.known

    from relevance_measures

)

select
    listed_judgments.judgment_set_id,
    listed_judgments.query_id,
    thresholds.rel,
    thresholds.known,
    count(*) as relevant

from listed_judgments

inner join thresholds
    on
        listed_judgments.known = thresholds.known
        and listed_judgments.grade >= thresholds.rel

where listed_judgments.grade >= 0

group by
    listed_judgments.judgment_set_id,
    listed_judgments.query_id,
    thresholds.rel,
    thresholds.known
