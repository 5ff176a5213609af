-- The hits of a run, as reading found them: texts of ids, which NUL separates,
-- and of numbers.
insert into hits by name
select
    $run_id as run_id,
    $judgment_set_id as judgment_set_id,
    unnest(string_split($query_ids, chr(0))) as query_id,
    unnest(string_split($doc_ids, chr(0))) as doc_id,
    unnest(cast(string_split($positions, ' ') as integer[])) as position,
    unnest(cast(string_split($grades, ' ') as double[])) as grade,
    unnest(cast(string_split($tie_firsts, ' ') as integer[])) as tie_first,
    unnest(cast(string_split($tie_lasts, ' ') as integer[])) as tie_last
