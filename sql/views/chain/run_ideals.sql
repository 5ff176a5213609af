-- One row is a basis whose ideal list depends on what a run returned.
select *
from bases
where has_own_ideal
