-- One row is an attribute of queries of a dataset with from two to $most values.
select query_attributes.attribute
from query_attributes
where query_attributes.dataset = $dataset
group by query_attributes.attribute
having count(distinct query_attributes.attribute_value) between 2 and $most
order by query_attributes.attribute
