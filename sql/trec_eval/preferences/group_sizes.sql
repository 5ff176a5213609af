-- One row is a group: the number of its documents of each kind, in all and
-- among those that the run returned.
select
    group_documents.group_number,
    count(case when group_documents.is_relevant then 1 end) as relevant,
    count(
        case
            when
                group_documents.is_relevant and group_documents.is_returned
                then 1
        end
    ) as relevant_returned,
    count(case when group_documents.is_not_relevant then 1 end) as not_relevant,
    count(
        case
            when
                group_documents.is_not_relevant and group_documents.is_returned
                then 1
        end
    ) as not_relevant_returned,
    count(group_documents.lowest_rank) as lowest,
    count(
        case
            when
                group_documents.lowest_rank is not null
                and group_documents.is_returned
                then 1
        end
    ) as lowest_returned

from group_documents

group by group_documents.group_number
