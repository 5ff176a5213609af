-- One row is a measure whose ideal list has a perfect document at each position.
select *
from settings
where ideal = 'perfect'
