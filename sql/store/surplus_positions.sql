-- Positions beyond the deepest run are deleted, unless a measure can look
-- there.
delete from positions
where
    positions.position > (
        select coalesce(max(run_queries.retrieved), 0) from run_queries
    )
    and positions.position > (
        select coalesce(max(measured_depths.depth), 0) from measured_depths
    )
