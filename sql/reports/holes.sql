-- One row is a document that runs show within a depth for a judged query, but
-- that nobody judged; what could change most comes first. largest_move is by
-- how much the mean of one of the runs could move if the document had the
-- best grade, move_between by how much the difference of two of them could.
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
        hole_values.dataset,
        hole_values.judgment_set,
        hole_values.judgment_set_id,
        hole_values.query_id,
        hole_values.doc_id,
        count(*) as runs,
        min(hole_values.position) as best_position

    from hole_values

    where hole_values.position <= $depth

    group by
        hole_values.dataset,
        hole_values.judgment_set,
        hole_values.judgment_set_id,
        hole_values.query_id,
        hole_values.doc_id

),

-- A run that does not return the document may lose by it.
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
            hole_values.difference,
            value_parts.value_if_missed - value_parts.value
        )
        / counts.n as move

    from shown

    inner join value_parts
        on
            shown.judgment_set_id = value_parts.judgment_set_id
            and shown.query_id = value_parts.query_id

    inner join counts
        on
            value_parts.run_id = counts.run_id
            and value_parts.judgment_set_id = counts.judgment_set_id

    left join hole_values
        on
            value_parts.run_id = hole_values.run_id
            and value_parts.judgment_set_id = hole_values.judgment_set_id
            and shown.query_id = hole_values.query_id
            and shown.doc_id = hole_values.doc_id

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
    largest.runs,
    largest.best_position,
    $measure as measure,
    largest.largest_move,
    largest.move_between,
    largest.judgment_set,
    largest.dataset

from largest

order by
    coalesce(largest.move_between, largest.largest_move) desc nulls last,
    largest.largest_move desc nulls last,
    largest.runs desc,
    largest.best_position asc,
    largest.dataset asc,
    largest.query_id asc,
    largest.doc_id asc
