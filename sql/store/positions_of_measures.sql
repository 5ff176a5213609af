-- A measure can look deeper than the deepest run.
insert into positions (position)
select cast(depths.position as integer) as position
from
    range(
        (select coalesce(max(positions.position), 0) + 1 from positions),
        (
            select cast(coalesce(max(measured_depths.depth), 0) + 1 as bigint)
            from measured_depths
        )
    ) as depths (position)
