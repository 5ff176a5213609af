-- assessments {assessment_set}: {query_count} queries and {assessment_count}
-- assessments were loaded, but {queries} and {stored} are stored; remove
-- them, and load them again
select
    assessment_set_id,
    name as assessment_set,
    query_count,
    assessment_count,
    count(distinct query_id) as queries,
    count(query_id) as stored
from assessment_sets
left join assessments using (assessment_set_id)
group by all
having queries <> query_count or stored <> assessment_count
order by assessment_set_id
