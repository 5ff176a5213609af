-- One row is a group: the preferences of group_counts with as many documents
-- not relevant as there are relevant. Of more, only the first in the ranking
-- count; for each one missing, every relevant document has one preference
-- more, which it fulfils if it was returned. In a group of one subgroup whose
-- documents not relevant were too many, trec_eval also counts those against
-- the ones that are kept, themselves included, as if they were preferred.
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
        -- Each kept one is below the returned ones that stand before it.
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

inner join group_sizes
    on group_counts.group_number = group_sizes.group_number

inner join judged_groups
    on group_counts.group_number = judged_groups.group_number
