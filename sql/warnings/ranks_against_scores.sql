-- How the staged ranks contradict the scores, in words. A score rises as the rank goes
-- down in nearly all queries with ranks of their own and differing scores; or, where
-- half of all neighbours have equal scores, as if they were rounded, some of these are
-- in another order than that of documents. No row where neither is so: most runs have a
-- few equal scores, whose ranks say little.
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
        count_if(neighbours.score > neighbours.score_above) as rising,
        count_if(neighbours.score < neighbours.score_above) as falling,
        count_if(neighbours.score = neighbours.score_above) as tied,
        -- Equal scores are ordered by document, descending.
        count_if(
            neighbours.score = neighbours.score_above and neighbours.doc_id > neighbours.doc_above
        ) as tied_otherwise,
        count(neighbours.score_above) as neighbour_count
    from neighbours
    group by all
),

counts as (
    select
        count_if(lists.rising + lists.falling > 0) as list_count,
        count_if(lists.rising > 0) as contradicted,
        bool_and(lists.falling = 0) filter (where lists.rising + lists.falling > 0) as is_opposite,
        sum(lists.rising) as rising,
        count(*) as ranked_lists,
        count_if(lists.tied_otherwise > 0) as tied_otherwise_lists,
        sum(lists.tied_otherwise) as tied_otherwise,
        2 * sum(lists.tied) >= sum(lists.neighbour_count) as are_most_tied
    from lists
    where lists.has_ranks
)

select
    case
        when counts.rising > 1 and counts.contradicted >= 0.9 * counts.list_count
            then
                case
                    when counts.is_opposite and counts.list_count > 1
                        then
                            'are the opposite of the scores in all ' || counts.list_count
                            || ' queries; are low scores the best, such as distances?'
                    else
                        'contradict the scores in ' || counts.contradicted || ' of '
                        || counts.list_count || ' queries'
                end || '; positions are by score'
        when counts.tied_otherwise > 1 and counts.are_most_tied
            then
                'order documents with equal scores otherwise in ' || counts.tied_otherwise_lists
                || ' of ' || counts.ranked_lists
                || if(counts.ranked_lists = 1, ' query', ' queries')
                || '; positions there are by document id, descending'
    end as what
from counts
where what is not null
