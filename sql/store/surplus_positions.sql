-- Positions go with the last run that was so deep, unless a measure may look
-- there.
delete from positions

where
    positions.position > (
        select coalesce(max(run_queries.retrieved), 0) from run_queries
    )
    and positions.position > (
        select coalesce(max(scaled_measures.depth), 0) from scaled_measures
    )
