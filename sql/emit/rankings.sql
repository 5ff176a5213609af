-- One row is a document that a run returned for a query, at its position: in
-- descending order of scores; equal scores in descending order of document ids,
-- by bytes.
with given as (
    select
        cast(given_rankings.run as varchar) as run_id,
        cast(given_rankings.query_id as varchar) as query_id,
        cast(given_rankings.doc_id as varchar) as doc_id,
        -- A negative zero becomes a plain one.
        cast(given_rankings.score as double) + 0 as score
    from given_rankings
)

select
    given.run_id, given.query_id, given.doc_id,
    row_number() over (
        partition by given.run_id, given.query_id
        order by given.score desc, given.doc_id desc
    ) as position,
    given.score
from given
