-- A position, from 1 to the deepest of any run or measure.
select
    unnest(
        range(1, cast(greatest($deepest, (select max(position) from rankings)) as bigint) + 1)
    ) as position
