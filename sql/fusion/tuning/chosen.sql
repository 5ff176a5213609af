-- One row is a fold that is left out, or 0 for none, with the fusion that has the
-- highest mean for the queries of all other folds. Means are equal if they agree to
-- nine decimals; of several, the first fusion is chosen.
select
    left_out.fold, run_id,
    sum(value order by query_id) / count(*) as value,
    count(*) as n
from stored_values
inner join tuned_queries using (query_id)
inner join range($folds + 1) as left_out (fold)
    on tuned_queries.fold <> left_out.fold
where value is not null
group by left_out.fold, run_id
qualify
    row_number() over (
        partition by left_out.fold
        order by round(sum(value order by query_id) / count(*), 9) desc, run_id
    ) = 1
order by left_out.fold
