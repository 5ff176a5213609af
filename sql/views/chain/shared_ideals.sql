-- One row is a basis whose ideal list all runs share.
select *
from bases
where ideal = 'judged'
