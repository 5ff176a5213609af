-- subtopic_bases: a basis of measures of subtopics.
select *
from bases
where reads = 'subtopics'
