-- One row is a group: the number of its documents of each kind, in all and
-- among those that the run returned.
select
    group_documents.group_number,
    count(*) filter (group_documents.is_relevant) as relevant,
    count(*) filter (
        group_documents.is_relevant and group_documents.is_returned
    ) as relevant_returned,
    count(*) filter (group_documents.is_not_relevant) as not_relevant,
    count(*) filter (
        group_documents.is_not_relevant and group_documents.is_returned
    ) as not_relevant_returned,
    count(group_documents.lowest_rank) as lowest,
    count(group_documents.lowest_rank) filter (group_documents.is_returned)
        as lowest_returned

from group_documents

group by group_documents.group_number
