insert into positions (position)
select distinct rankings.position

from rankings

where
    rankings.run_id = $run_id
    and rankings.position > (
        select coalesce(max(positions.position), 0) from positions
    )
