-- One row is a query that a judgment set judges. These, not the queries that a run answered, decide
-- which queries count in a mean.
select distinct judgment_set_id, query_id
from judgments
