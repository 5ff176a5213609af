-- A measure may look deeper than any run goes.
insert into positions (position)
select cast(depths.position as integer) as position

from
    range(
        (select coalesce(max(positions.position), 0) + 1 from positions),
        $depth + 1
    ) as depths (position)
