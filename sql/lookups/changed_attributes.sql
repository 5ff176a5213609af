-- How many queries have another value of each staged attribute than before, and the first.
select
    query_attributes.attribute,
    count(distinct query_id) as changed,
    min(query_id) as query_id,
    min_by(query_attributes.attribute_value, query_id) as value_before,
    min_by(staged_attributes.attribute_value, query_id) as value_now
from query_attributes
inner join staged_attributes using (query_id, attribute)
where
    query_attributes.dataset = $dataset
    and query_attributes.attribute_value <> staged_attributes.attribute_value
group by query_attributes.attribute
order by query_attributes.attribute
