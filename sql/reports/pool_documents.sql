-- The documents that runs return within a depth, and that the judgment set, if
-- there is one, does not judge.
select distinct rankings.query_id, rankings.doc_id
from rankings
left join judgments
    on
        judgments.judgment_set_id = $judgment_set_id
        and rankings.query_id = judgments.query_id
        and rankings.doc_id = judgments.doc_id
        and judgments.grade >= 0
where
    list_contains($run_ids, run_id)
    and position <= $depth
    and judgments.doc_id is null
    and (
        $with_unjudged
        or rankings.query_id in (
            select judged.query_id
            from judged_queries as judged
            where judged.judgment_set_id = $judgment_set_id
        )
    )
