-- table positions: {row_count} rows, the last one {last}, but the deepest run
-- has {deepest}; restore the file from a copy
with depths as (

    select coalesce(max(rankings.position), 0) as deepest

    from rankings

)

select
    count(*) as row_count,
    coalesce(max(positions.position), 0) as last,
    (select depths.deepest from depths) as deepest

from positions

having
    count(*) <> count(distinct positions.position)
    or count(*) <> coalesce(max(positions.position), 0)
    or coalesce(max(positions.position), 0) < (
        select depths.deepest from depths
    )
