-- Positions were assigned when the file was read.
insert into rankings by name
select
    $run_id as run_id,
    *
from read_rows
