-- Whether a stored run that is placed by scores has exactly the compared rows. Their
-- order in the file does not matter.
with differing as (
    select
        compared.query_id, compared.doc_id, compared.score
    from compared
    except
    select
        rankings.query_id, rankings.doc_id, rankings.score
    from rankings
    where rankings.run_id = $id
)

select
    runs.position_rule = $position_rule
    and runs.document_count = (select count(*) from compared)
    and not exists (from differing) as is_same
from runs
where runs.run_id = $id
