-- One row is a basis whose ideal list depends on what a run returned.
select *
from bases
where ideal in ('retrieved', 'topk', 'returned')
