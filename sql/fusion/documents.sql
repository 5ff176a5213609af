-- One row is a document of a query, with what each run gives it: value_1 and so on.
-- $value is a formula of methods.csv or norms.csv on entries of the runs.
with shown as (
    select
        place, query_id, doc_id,
        $value as value
    from $entries
)

select
    query_id, doc_id,
    $value_columns
from shown
group by all
