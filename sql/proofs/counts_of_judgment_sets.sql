-- judgment set {judgment_set}: {query_count} queries and {judgment_count}
-- judgments were loaded, but {queries} and {judgments} are stored; remove it,
-- and load it again
with found as (

    select
        judgments.judgment_set_id,
        count(distinct judgments.query_id) as queries,
        count(*) as judgments

    from judgments

    group by judgments.judgment_set_id

)

select
    judgment_sets.name as judgment_set,
    judgment_sets.query_count,
    judgment_sets.judgment_count,
    coalesce(found.queries, 0) as queries,
    coalesce(found.judgments, 0) as judgments

from judgment_sets

left join found using (judgment_set_id)

where
    judgment_sets.query_count <> coalesce(found.queries, 0)
    or judgment_sets.judgment_count <> coalesce(found.judgments, 0)

order by judgment_sets.judgment_set_id
