-- One row is a query: the shares of the groups' votes that agree with the run,
-- added up over the pairs of documents between which any group prefers one,
-- and the number of these pairs; in all, with a returned document (_met), and
-- of two returned documents. With none, no vote agrees.
with votes as (

    select
        judged_groups.query_id,
        least(preferred.better, preferred.worse) as first_place,
        greatest(preferred.better, preferred.worse) as second_place,
        any_value(judged_groups.returned) as returned,
        count(
            case when preferred.better < preferred.worse then 1 end
        ) / count(*) as share

    from preferred

    inner join judged_groups
        on preferred.group_number = judged_groups.group_number

    group by
        judged_groups.query_id,
        least(preferred.better, preferred.worse),
        greatest(preferred.better, preferred.worse)

)

select
    votes.query_id,
    count(*) as pairs,
    count(
        case when votes.first_place <= votes.returned then 1 end
    ) as pairs_met,
    count(
        case when votes.second_place <= votes.returned then 1 end
    ) as pairs_returned,
    sum(
        case
            when votes.first_place <= votes.returned then votes.share
            else 0
        end
        order by
            votes.second_place > votes.returned,
            votes.first_place,
            votes.second_place
    ) as shares,
    sum(
        case
            when votes.second_place <= votes.returned then votes.share
            else 0
        end
        order by
            votes.second_place > votes.returned,
            votes.first_place,
            votes.second_place
    ) as shares_returned

from votes

group by votes.query_id
