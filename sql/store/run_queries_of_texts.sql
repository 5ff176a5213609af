-- The queries of a run, and how many documents it returned for each: texts of
-- query ids, which NUL separates, and of numbers.
insert into run_queries by name
select
    $run_id as run_id,
    unnest(string_split($query_ids, chr(0))) as query_id,
    unnest(cast(string_split($counts, ' ') as integer[])) as retrieved
