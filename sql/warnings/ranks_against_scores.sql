-- How the staged ranks contradict the scores, in words. A score rises as the rank goes
-- down in nearly all queries with ranks of their own and differing scores; or, where
-- half of all neighbours have equal scores, as if they were rounded, some of these are
-- in another order than that of documents. No row where neither is so: most runs have a
-- few equal scores, whose ranks say little.
with neighbours as (
    select
        run, query_id, rank, score, doc_id,
        lag(score) over ranking as score_above,
        lag(doc_id) over ranking as doc_above
    from staged
    window ranking as (partition by run, query_id order by rank)
),

lists as (
    select
        count_if(score > score_above) as rising,
        count_if(score < score_above) as falling,
        count_if(score = score_above) as tied,
        -- Equal scores are ordered by document, descending.
        count_if(score = score_above and doc_id > doc_above) as tied_otherwise,
        count(score_above) as neighbour_count
    from neighbours
    group by run, query_id
    having count(distinct rank) = count(*)
),

counts as (
    select
        count_if(rising + falling > 0) as list_count,
        count_if(rising > 0) as contradicted,
        bool_and(falling = 0) filter (where rising + falling > 0) as is_opposite,
        sum(rising) as all_rising,
        count(*) as ranked_lists,
        count_if(tied_otherwise > 0) as tied_otherwise_lists,
        sum(tied_otherwise) as all_tied_otherwise,
        2 * sum(tied) >= sum(neighbour_count) as are_most_tied
    from lists
)

select
    case
        when all_rising > 1 and contradicted >= 0.9 * list_count
            then
                case
                    when is_opposite and list_count > 1
                        then
                            'are the opposite of the scores in all ' || list_count
                            || ' queries; are low scores the best, such as distances?'
                    else
                        'contradict the scores in ' || contradicted || ' of ' || list_count
                        || ' queries'
                end || '; positions are by score'
        when all_tied_otherwise > 1 and are_most_tied
            then
                'order documents with equal scores otherwise in ' || tied_otherwise_lists
                || ' of ' || ranked_lists || if(ranked_lists = 1, ' query', ' queries')
                || '; positions there are by document id, descending'
    end as what
from counts
where what is not null
