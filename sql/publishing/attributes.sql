-- One row is an attribute of queries, in any dataset; the most frequent is first.
select query_attributes.attribute
from query_attributes
group by query_attributes.attribute
order by count(*) desc, query_attributes.attribute asc
