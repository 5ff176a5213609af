-- Two ids that are nearly the same, at least one of them new, and how many other
-- such groups of ids there are.
select
    min(id) as own,
    max(id) as judged,
    count(*) over () - 1 as more
from source_rows
group by folded_id
having count(*) > 1 and bool_or(is_new)
order by folded_id
limit 1
