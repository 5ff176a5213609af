-- How far the staged ranks contradict the scores: the queries with ranks of their
-- own and differing scores, those in which a score rises as the rank goes down,
-- whether none falls anywhere, and how many scores rise. Then how far they contradict
-- the order of equal scores: the queries with ranks of their own, those in which
-- neighbours with equal scores are in another order, how many neighbours are, and
-- whether half of all neighbours have equal scores.
with neighbours as (
    select
        staged.run, staged.query_id, staged.rank, staged.score, staged.doc_id,
        lag(staged.score) over ranking as score_above,
        lag(staged.doc_id) over ranking as doc_above
    from staged
    window ranking as (partition by staged.run, staged.query_id order by staged.rank)
),

lists as (
    select
        neighbours.run, neighbours.query_id,
        count(distinct neighbours.rank) = count(*) as has_ranks,
        sum(cast(neighbours.score > neighbours.score_above as integer)) as rising,
        sum(cast(neighbours.score < neighbours.score_above as integer)) as falling,
        sum(cast(neighbours.score = neighbours.score_above as integer)) as tied,
        -- Equal scores are ordered by document, descending.
        sum(
            cast(
                neighbours.score = neighbours.score_above
                and neighbours.doc_id > neighbours.doc_above as integer
            )
        ) as tied_otherwise,
        count(neighbours.score_above) as neighbour_count
    from neighbours
    group by all
)

select
    count_if(lists.rising + lists.falling > 0) as list_count,
    count_if(lists.rising > 0) as contradicted,
    coalesce(
        bool_and(lists.falling = 0) filter (where lists.rising + lists.falling > 0),
        false
    ) as is_opposite,
    coalesce(sum(lists.rising), 0) as rising,
    count(*) as ranked_lists,
    count_if(lists.tied_otherwise > 0) as tied_otherwise_lists,
    coalesce(sum(lists.tied_otherwise), 0) as tied_otherwise,
    coalesce(2 * sum(lists.tied) >= sum(lists.neighbour_count), false) as are_most_tied
from lists
where lists.has_ranks
