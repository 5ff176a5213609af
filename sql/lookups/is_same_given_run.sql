-- Whether a stored run that is placed by its file has exactly the compared rows, at
-- the same positions. The order of the queries in the file does not matter.
with placed as (
    select
        compared.query_id, compared.doc_id, compared.score,
        row_number() over (
            partition by compared.query_id
            order by compared.rank, compared.line_number
        ) as position
    from compared
),

differing as (
    select
        placed.query_id, placed.doc_id, placed.score, placed.position
    from placed
    except
    select
        rankings.query_id, rankings.doc_id, rankings.score, rankings.position
    from rankings
    where rankings.run_id = $id
)

select
    runs.position_rule = 'given'
    and runs.document_count = (select count(*) from compared)
    and not exists (from differing) as is_same
from runs
where runs.run_id = $id
