-- One row is the value of a stored measure for a run.
select
    run,
    measure,
    value

from run_values

order by run, measure
