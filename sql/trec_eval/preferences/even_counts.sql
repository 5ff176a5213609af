-- One row is a group: the preferences of group_counts, with the same number of
-- documents not relevant as of relevant ones. If a group has more that are not
-- relevant, only the first in the ranking count. If it has fewer, each missing
-- document gives every relevant document one more preference, which is
-- fulfilled if the relevant document was returned. If a group of one subgroup
-- has too many documents that are not relevant, trec_eval also counts these
-- against the ones that are kept, themselves included, as if they were
-- preferred.
select
    group_counts.group_number,
    group_counts.even_possible
    + case
        when group_sizes.relevant >= group_sizes.not_relevant
            then
                group_sizes.relevant
                * (group_sizes.relevant - group_sizes.not_relevant)
        when judged_groups.subgroups = 1
            then
                group_sizes.lowest
                * least(group_sizes.relevant, group_sizes.lowest)
        else 0
    end as possible,
    group_counts.even_fulfilled
    + case
        when group_sizes.relevant >= group_sizes.not_relevant
            then
                group_sizes.relevant_returned
                * (group_sizes.relevant - group_sizes.not_relevant)
        -- Each document that is kept is below the returned documents before it.
        when judged_groups.subgroups = 1
            then
                least(group_sizes.relevant, group_sizes.lowest_returned)
                * (
                    2 * least(group_sizes.relevant, group_sizes.lowest)
                    - least(group_sizes.relevant, group_sizes.lowest_returned)
                    - 1
                )
                / 2
        else 0
    end as fulfilled,
    group_counts.even_possible_returned
    + case
        when group_sizes.relevant_returned >= group_sizes.not_relevant_returned
            then
                group_sizes.relevant
                * (
                    group_sizes.relevant_returned
                    - group_sizes.not_relevant_returned
                )
        when judged_groups.subgroups = 1
            then
                group_sizes.lowest_returned
                * least(
                    group_sizes.relevant_returned, group_sizes.lowest_returned
                )
        else 0
    end as possible_returned,
    group_counts.even_fulfilled_returned
    + case
        when group_sizes.relevant_returned >= group_sizes.not_relevant_returned
            then
                group_sizes.relevant_returned
                * (
                    group_sizes.relevant_returned
                    - group_sizes.not_relevant_returned
                )
        when judged_groups.subgroups = 1
            then
                least(
                    group_sizes.relevant_returned, group_sizes.lowest_returned
                )
                * (
                    least(
                        group_sizes.relevant_returned,
                        group_sizes.lowest_returned
                    )
                    - 1
                )
                / 2
        else 0
    end as fulfilled_returned

from group_counts

inner join group_sizes using (group_number)

inner join judged_groups using (group_number)
