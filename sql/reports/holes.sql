-- One row is an unjudged document that runs return within a depth for a judged
-- query; the documents that could change most come first. largest_move is how
-- far the mean of one of the runs could move if the document had the best
-- grade; move_between is how far the difference of two of the runs could move.
with counts as (

    select
        value_parts.run_id,
        value_parts.judgment_set_id,
        count(value_parts.value) as n

    from value_parts

    group by
        value_parts.run_id,
        value_parts.judgment_set_id

),

shown as (

    select
        any_value(unjudged_document_values.dataset) as dataset,
        any_value(unjudged_document_values.judgment_set) as judgment_set,
        unjudged_document_values.judgment_set_id,
        unjudged_document_values.query_id,
        unjudged_document_values.doc_id,
        count(*) as runs,
        min(unjudged_document_values.position) as best_position

    from unjudged_document_values

    where unjudged_document_values.position <= $depth

    group by
        unjudged_document_values.judgment_set_id,
        unjudged_document_values.query_id,
        unjudged_document_values.doc_id

),

-- The value of a run that does not return the document can fall.
moves as (

    select
        shown.dataset,
        shown.judgment_set,
        shown.judgment_set_id,
        shown.query_id,
        shown.doc_id,
        shown.runs,
        shown.best_position,
        coalesce(
            unjudged_document_values.difference,
            value_parts.value_if_missed - value_parts.value
        )
        / counts.n as move

    from shown

    inner join value_parts using (judgment_set_id, query_id)

    inner join counts using (run_id, judgment_set_id)

    left join unjudged_document_values
        on
            value_parts.run_id = unjudged_document_values.run_id
            and value_parts.judgment_set_id
            = unjudged_document_values.judgment_set_id
            and shown.query_id = unjudged_document_values.query_id
            and shown.doc_id = unjudged_document_values.doc_id

),

largest as (

    select
        moves.dataset,
        moves.judgment_set,
        moves.query_id,
        moves.doc_id,
        moves.runs,
        moves.best_position,
        max(abs(moves.move)) as largest_move,
        case
            when count(moves.move) > 1 then max(moves.move) - min(moves.move)
        end as move_between

    from moves

    group by
        moves.dataset,
        moves.judgment_set,
        moves.query_id,
        moves.doc_id,
        moves.runs,
        moves.best_position

)

select
    largest.query_id,
    largest.doc_id,
    documents.title,
    largest.runs,
    largest.best_position,
    $measure as measure,
    largest.largest_move,
    largest.move_between,
    largest.judgment_set,
    largest.dataset

from largest

left join documents using (dataset, doc_id)

order by
    coalesce(largest.move_between, largest.largest_move) desc nulls last,
    largest.largest_move desc nulls last,
    largest.runs desc,
    largest.best_position asc,
    largest.dataset asc,
    largest.query_id asc,
    largest.doc_id asc
