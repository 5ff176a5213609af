-- One row is a group: the preferences that are possible and those that the run
-- fulfils, in all (one with a document that was not returned is fulfilled by
-- the other), and among documents that were returned. The columns that begin
-- with even_ count them with as many documents not relevant as relevant, see
-- even_counts.
with pairs as (

    select
        preferred.group_number,
        preferred.better < preferred.worse
        and preferred.better <= judged_groups.returned as is_fulfilled,
        least(preferred.better, preferred.worse)
        <= judged_groups.returned as is_met,
        greatest(preferred.better, preferred.worse)
        <= judged_groups.returned as is_returned,
        greatest(
            coalesce(better.lowest_rank, 0), coalesce(worse.lowest_rank, 0)
        ) as lowest_rank,
        group_sizes.relevant as kept,
        case
            when judged_groups.subgroups = 1 then group_sizes.relevant_returned
            else group_sizes.relevant
        end as kept_returned

    from preferred

    inner join judged_groups
        on preferred.group_number = judged_groups.group_number

    inner join group_sizes
        on preferred.group_number = group_sizes.group_number

    inner join group_documents as better
        on
            preferred.group_number = better.group_number
            and preferred.better = better.place

    inner join group_documents as worse
        on
            preferred.group_number = worse.group_number
            and preferred.worse = worse.place

)

select
    judged_groups.group_number,
    count(pairs.group_number) as possible,
    count(*) filter (where pairs.is_met) as possible_met,
    count(*) filter (where pairs.is_returned) as possible_returned,
    count(*) filter (where pairs.is_fulfilled) as fulfilled,
    count(*) filter (
        where pairs.is_fulfilled and pairs.is_returned
    ) as fulfilled_returned,
    count(*) filter (
        where pairs.lowest_rank <= pairs.kept
    ) as even_possible,
    count(*) filter (
        where pairs.lowest_rank <= pairs.kept and pairs.is_fulfilled
    ) as even_fulfilled,
    count(*) filter (
        where pairs.lowest_rank <= pairs.kept_returned and pairs.is_returned
    ) as even_possible_returned,
    count(*) filter (
        where
            pairs.lowest_rank <= pairs.kept_returned
            and pairs.is_returned
            and pairs.is_fulfilled
    ) as even_fulfilled_returned

from judged_groups

left join pairs
    on judged_groups.group_number = pairs.group_number

group by judged_groups.group_number
