-- One row is a group: the numbers of possible preferences and of those that the
-- run fulfils, over all documents and over returned documents. If only one
-- document of a preference was returned, the preference is fulfilled if that
-- document is the preferred one. Columns that begin with even_ count
-- preferences with the same number of documents not relevant as of relevant
-- ones (see even_counts).
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

    inner join judged_groups using (group_number)

    inner join group_sizes using (group_number)

    inner join group_documents as better
        on
            preferred.group_number = better.group_number
            and preferred.better = better.place

    inner join group_documents as worse
        on
            preferred.group_number = worse.group_number
            and preferred.worse = worse.place

),

kept_pairs as (

    select
        pairs.group_number,
        pairs.is_fulfilled,
        pairs.is_met,
        pairs.is_returned,
        pairs.lowest_rank <= pairs.kept as is_even,
        pairs.is_returned
        and pairs.lowest_rank <= pairs.kept_returned as is_even_returned

    from pairs

)

select
    judged_groups.group_number,
    count(kept_pairs.group_number) as possible,
    count(case when kept_pairs.is_met then 1 end) as possible_met,
    count(case when kept_pairs.is_returned then 1 end) as possible_returned,
    count(case when kept_pairs.is_fulfilled then 1 end) as fulfilled,
    count(
        case when kept_pairs.is_fulfilled and kept_pairs.is_returned then 1 end
    ) as fulfilled_returned,
    count(case when kept_pairs.is_even then 1 end) as even_possible,
    count(case when kept_pairs.is_even and kept_pairs.is_fulfilled then 1 end)
        as even_fulfilled,
    count(
        case when kept_pairs.is_even_returned then 1 end
    ) as even_possible_returned,
    count(
        case
            when kept_pairs.is_even_returned and kept_pairs.is_fulfilled then 1
        end
    ) as even_fulfilled_returned

from judged_groups

left join kept_pairs using (group_number)

group by judged_groups.group_number
