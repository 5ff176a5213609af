-- One row is a query that a judgment set judges. These rows, and not the
-- answers of a run, decide which queries count in a mean.
select
    judgments.judgment_set_id,
    judgments.query_id,
    count(*) as judgment_count

from judgments

group by
    judgments.judgment_set_id,
    judgments.query_id
