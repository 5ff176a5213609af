-- One row is a basis of measures of subtopics.
select *
from bases
where reads = 'subtopics'
