-- The staged rows of one of the runs of a file.
create or replace temp table staged as
select staged_runs.*

from staged_runs

where staged_runs.run = $run
