-- One hash of the staged judgments, the same in whatever order they are staged.
-- The judgments of each query are hashed first, so that no list has an entry
-- for every judgment.
with queries as (
    select
        staged.query_id,
        sha256(
            string_agg(sha256(json_array(staged.doc_id, staged.grade)), '' order by staged.doc_id)
        ) as query_hash
    from staged
    group by staged.query_id
)

select
    sha256(
        coalesce(
            string_agg(
                sha256(json_array(queries.query_id, queries.query_hash)),
                ''
                order by queries.query_id
            ),
            ''
        )
    ) as staged_hash
from queries
