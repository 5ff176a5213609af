-- One row is a query. For each pair of documents of which any group prefers
-- one, share is the share of such groups that agree with the run; the row has
-- the sum of the shares and the number of pairs. Both are counted for all
-- pairs, for pairs with a returned document (_met) and for pairs of two
-- returned documents (_returned). If neither document was returned, no group
-- agrees.
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

    inner join judged_groups using (group_number)

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
