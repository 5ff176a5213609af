-- Judgments by their place in what was read: texts of ids, which NUL separates, and of
-- numbers.
create temp table placed_judgments as
select
    unnest(range(len(string_split($grades, ' ')))) as place,
    unnest(string_split($query_ids, chr(0))) as query_id,
    unnest(string_split($doc_ids, chr(0))) as doc_id,
    unnest(cast(string_split($grades, ' ') as double[])) as grade
