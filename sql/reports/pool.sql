-- One row is a document to be judged: runs return it within a depth, and the
-- judgment set, if there is one, does not judge it. Nothing reveals which run
-- returned it or at which position, not even the order, which a seed
-- determines.
select
    rankings.query_id,
    any_value(queries.text) as query_text,
    rankings.doc_id,
    any_value(documents.title) as title,
    cast(null as double) as grade

from rankings

left join queries
    on
        queries.dataset = $dataset
        and rankings.query_id = queries.query_id

left join documents
    on
        documents.dataset = $dataset
        and rankings.doc_id = documents.doc_id

left join judgments
    on
        judgments.judgment_set_id = $judgment_set_id
        and rankings.query_id = judgments.query_id
        and rankings.doc_id = judgments.doc_id
        and judgments.grade >= 0

where
    list_contains($run_ids, rankings.run_id)
    and rankings.position <= $depth
    and judgments.doc_id is null
    and (
        $with_unjudged
        or rankings.query_id in (
            select judged_queries.query_id
            from judged_queries
            where judged_queries.judgment_set_id = $judgment_set_id
        )
    )

group by
    rankings.query_id,
    rankings.doc_id

order by
    md5(concat($seed, ' ', rankings.query_id)),
    rankings.query_id,
    md5(concat($seed, ' ', rankings.query_id, chr(10), rankings.doc_id)),
    rankings.doc_id
