-- One row is an attribute of queries, in any dataset; the most frequent is first.
select attribute
from query_attributes
group by attribute
order by count(*) desc, attribute asc
