-- Whether each query of a run, or of each of several, has ranks of its own: no rank is
-- twice, as it is where a file has several rankings of a query.
select coalesce(bool_and(lists.has_ranks), false) as is_one
from (
    select count(distinct staged.rank) = count(*) as has_ranks
    from staged
    group by staged.run, staged.query_id
) as lists
