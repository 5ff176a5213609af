-- One row is a measure and the judgment set that it is evaluated with. Grades
-- that a measure cannot use are refused before.
select
    judgment_sets.judgment_set_id, measures.measure, measures.family
from judgment_sets
cross join measures
