-- One row is a query that a run answered, with the number of documents that it
-- returned: counted here (see computed_run_queries), by another engine, or 0 in an
-- answer without documents. The table run_queries stores these rows.
select
    computed_run_queries.run_id, computed_run_queries.query_id, computed_run_queries.retrieved
from computed_run_queries
union all
select
    external_run_queries.run_id, external_run_queries.query_id, external_run_queries.retrieved
from external_run_queries
