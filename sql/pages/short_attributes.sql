-- One row is an attribute of queries of a dataset with from two to $most values.
select attribute
from query_attributes
where dataset = $dataset
group by attribute
having count(distinct attribute_value) between 2 and $most
order by attribute
