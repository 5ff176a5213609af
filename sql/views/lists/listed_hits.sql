-- One row is a hit in a ranking that some measure looks at: the ranking that
-- the run returned, or (judged_only) the ranking that is left when unjudged
-- documents are removed and positions close up.
with condensing as (

    select distinct measures.judged_only

    from measures

    where measures.judged_only

)

select
    hits.run_id,
    runs.name as run,
    hits.judgment_set_id,
    hits.query_id,
    hits.doc_id,
    false as judged_only,
    hits.position,
    hits.grade

from hits

inner join runs using (run_id)

union all

select
    hits.run_id,
    runs.name as run,
    hits.judgment_set_id,
    hits.query_id,
    hits.doc_id,
    condensing.judged_only,
    row_number() over (
        partition by
            hits.run_id,
            runs.name,
            hits.judgment_set_id,
            hits.query_id
        order by hits.position
    ) as position,
    hits.grade

from hits

inner join runs using (run_id)

inner join condensing
    on hits.grade >= 0
