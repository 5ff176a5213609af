-- A returned document at its position: by score, equal scores by document id, descending.
select
    run_id, query_id, doc_id, score,
    row_number() over (partition by run_id, query_id order by score desc, doc_id desc) as position
from (
    select
        cast(given_rankings.run as varchar) as run_id,
        cast(given_rankings.query_id as varchar) as query_id,
        cast(given_rankings.doc_id as varchar) as doc_id,
        -- A negative zero becomes a plain one.
        cast(given_rankings.score as double) + 0 as score
    from given_rankings
) as given
