-- run {run}, judgment set {judgment_set}: table hits differs from view
-- all_hits in {row_count} rows; remove the run, and load it again
with compared as (

    select
        hits.run_id,
        hits.judgment_set_id,
        hits.query_id,
        hits.doc_id,
        hits.position,
        hits.grade,
        hits.tie_first,
        hits.tie_last,
        1 as side

    from hits

    union all

    select
        all_hits.run_id,
        all_hits.judgment_set_id,
        all_hits.query_id,
        all_hits.doc_id,
        all_hits.position,
        all_hits.grade,
        all_hits.tie_first,
        all_hits.tie_last,
        -1 as side

    from all_hits

    inner join evaluations
        on
            all_hits.run_id = evaluations.run_id
            and all_hits.judgment_set_id = evaluations.judgment_set_id

),

differing as (

    select
        compared.run_id,
        compared.judgment_set_id

    from compared

    group by
        compared.run_id,
        compared.judgment_set_id,
        compared.query_id,
        compared.doc_id,
        compared.position,
        compared.grade,
        compared.tie_first,
        compared.tie_last

    having sum(compared.side) <> 0

)

select
    differing.run_id,
    differing.judgment_set_id,
    count(*) as row_count

from differing

group by
    differing.run_id,
    differing.judgment_set_id

order by
    differing.run_id,
    differing.judgment_set_id
