-- Positions beyond the deepest run are deleted, unless a measure can look
-- there.
delete from positions

where
    positions.position > (
        select coalesce(max(run_queries.retrieved), 0) from run_queries
    )
    and positions.position > (
        select coalesce(max(scaled_measures.depth), 0) from scaled_measures
    )
