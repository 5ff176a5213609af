-- A position, from 1 to the deepest of any run or measure.
with deepest as (
    select greatest($deepest, (select max(position) from rankings)) as position
)

select unnest(range(1, cast((select position from deepest) as bigint) + 1)) as position
