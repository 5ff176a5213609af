-- One row is the value of a line that is printed for a judged query, where it
-- comes from no measure of the warehouse's.
create or replace temp table topic_values as
select
    unnest(cast($lines as integer[])) as line,
    unnest(cast($queries as varchar[])) as query_id,
    unnest(cast($values as double[])) as value
