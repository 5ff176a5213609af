-- No value is one of a run as a whole.
select *
from summarized_values
where false
