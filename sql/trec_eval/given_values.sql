-- One row is the value of a printed line for a judged query, if it comes from
-- no measure of the warehouse.
create or replace temp table topic_values as
select
    unnest(cast($lines as integer[])) as line,
    unnest(cast($queries as varchar[])) as query_id,
    unnest(cast($values as double[])) as value
