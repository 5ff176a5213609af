-- Positions go as deep as the deepest run.
insert into positions (position)
select cast(depths.position as integer) as position
from
    range(
        (select coalesce(max(position), 0) + 1 from positions),
        (select coalesce(max(retrieved), 0) + 1 from run_queries where run_id = $run_id)
    ) as depths (position)
