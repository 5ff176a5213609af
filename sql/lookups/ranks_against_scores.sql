-- How far the staged ranks contradict the scores: the queries with ranks of their
-- own and differing scores, those in which a score rises as the rank goes down,
-- whether none falls anywhere, and how many scores rise.
with neighbours as (

    select
        staged.run,
        staged.query_id,
        staged.rank,
        staged.score,
        lag(staged.score) over (
            partition by
                staged.run,
                staged.query_id
            order by staged.rank
        ) as score_above

    from staged

),

lists as (

    select
        neighbours.run,
        neighbours.query_id,
        count(distinct neighbours.rank) = count(*) as has_ranks,
        sum(
            cast(neighbours.score > neighbours.score_above as integer)
        ) as rising,
        sum(
            cast(neighbours.score < neighbours.score_above as integer)
        ) as falling

    from neighbours

    group by
        neighbours.run,
        neighbours.query_id

)

select
    count(*) as list_count,
    coalesce(sum(cast(lists.rising > 0 as integer)), 0) as contradicted,
    coalesce(bool_and(lists.falling = 0), false) as is_opposite,
    coalesce(sum(lists.rising), 0) as rising

from lists

where
    lists.has_ranks
    and lists.rising + lists.falling > 0
