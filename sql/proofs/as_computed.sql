-- run {run}, judgment set {judgment_set}: table {relation} differs from view
-- {other} in {row_count} rows; remove the run, and load it again
with compared as (

    select
        stored.*,
        1 as side

    from query_table($relation) as stored

    union all by name

    select
        computed.*,
        -1 as side

    from query_table($other) as computed

    -- Pairs that nobody evaluated have hits and counts, too.
    semi join evaluations using (run_id, judgment_set_id)

),

differing as (

    select compared.* exclude (side)  -- noqa: RF03

    from compared

    group by all

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
