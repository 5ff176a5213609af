-- One row is a registered measure, with the number of evaluations that have a
-- value of it.
select
    measures.measure,
    measures.family,
    count(stored_run_values.run_id) as evaluations

from measures

left join stored_run_values
    on measures.measure = stored_run_values.measure

group by
    measures.rowid,
    measures.measure,
    measures.family

order by measures.rowid
