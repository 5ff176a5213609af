-- The queries of a judgment set whose ids or texts are nearest to some text; case,
-- accents and blanks at its ends do not count.
with judged as (
    select distinct judgments.query_id
    from judgments
    where judgments.judgment_set_id = $judgment_set_id
),

named as (
    select
        judged.query_id,
        queries.text as query_text,
        strip_accents(lower(trim(judged.query_id))) as folded_id,
        strip_accents(lower(trim(coalesce(queries.text, judged.query_id)))) as folded_text,
        strip_accents(lower(trim($query_id))) as folded
    from judged
    left join queries
        on judged.query_id = queries.query_id and queries.dataset = $dataset
),

distances as (
    select
        named.query_id, named.query_text,
        least(
            damerau_levenshtein(named.folded_id, named.folded),
            damerau_levenshtein(named.folded_text, named.folded)
        ) as distance,
        length(named.folded) as text_length
    from named
)

select
    distances.query_id,
    nullif(distances.query_text, distances.query_id) as query_text
from distances
where distances.distance = 0 or 3 * distances.distance <= distances.text_length
order by distances.distance, distances.query_id
limit 3
