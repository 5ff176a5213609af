-- One row is a query that a judgment set judges. These rows, not the queries
-- that a run answered, decide which queries count in a mean.
select
    judgments.judgment_set_id,
    judgments.query_id,
    count(*) as judged_documents

from judgments

group by
    judgments.judgment_set_id,
    judgments.query_id
