-- One row is a document that runs show within a depth for a judged query, but
-- that nobody judged; what could change most comes first. largest_move is by
-- how much the mean of one of the runs could move if the document had the
-- largest grade, move_between by how much the difference of two of them could.
with shown as (

    select
        holes.dataset,
        holes.judgment_set,
        holes.judgment_set_id,
        holes.query_id,
        holes.doc_id,
        count(*) as runs,
        min(holes.position) as best_position

    from holes

    where
        list_contains($run_ids, holes.run_id)
        and list_contains($judgment_set_ids, holes.judgment_set_id)
        and holes.position <= $depth

    group by
        holes.dataset,
        holes.judgment_set,
        holes.judgment_set_id,
        holes.query_id,
        holes.doc_id

),

-- A run that does not return the document may lose by it.
moves as (

    select
        shown.judgment_set_id,
        shown.query_id,
        shown.doc_id,
        coalesce(
            hole_values.difference,
            value_parts.value_if_missed - value_parts.value
        )
        / stored_run_values.n as move

    from shown

    inner join value_parts
        on
            shown.judgment_set_id = value_parts.judgment_set_id
            and shown.query_id = value_parts.query_id

    inner join stored_run_values
        on
            value_parts.run_id = stored_run_values.run_id
            and value_parts.judgment_set_id = stored_run_values.judgment_set_id
            and value_parts.measure = stored_run_values.measure

    left join hole_values
        on
            value_parts.run_id = hole_values.run_id
            and value_parts.judgment_set_id = hole_values.judgment_set_id
            and value_parts.measure = hole_values.measure
            and shown.query_id = hole_values.query_id
            and shown.doc_id = hole_values.doc_id

    where
        list_contains($run_ids, value_parts.run_id)
        and value_parts.measure = $measure

),

largest as (

    select
        moves.judgment_set_id,
        moves.query_id,
        moves.doc_id,
        max(abs(moves.move)) as largest_move,
        case
            when count(moves.move) > 1 then max(moves.move) - min(moves.move)
        end as move_between

    from moves

    group by
        moves.judgment_set_id,
        moves.query_id,
        moves.doc_id

)

select
    shown.query_id,
    shown.doc_id,
    shown.runs,
    shown.best_position,
    $measure as measure,
    largest.largest_move,
    largest.move_between,
    shown.judgment_set,
    shown.dataset

from shown

left join largest
    on
        shown.judgment_set_id = largest.judgment_set_id
        and shown.query_id = largest.query_id
        and shown.doc_id = largest.doc_id

order by
    coalesce(largest.move_between, largest.largest_move) desc nulls last,
    largest.largest_move desc nulls last,
    shown.runs desc,
    shown.best_position asc,
    shown.dataset asc,
    shown.query_id asc,
    shown.doc_id asc
