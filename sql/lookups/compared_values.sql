-- How many values another engine has for some runs.
select count(*) as value_count

from staged_query_values

where list_contains($runs, staged_query_values.run)
