-- One row is a document that runs show within a depth for a judged query, but
-- that nobody judged; what could change most comes first. largest_move is by
-- how much the mean of one of the runs could move if the document had the
-- largest grade, move_between by how much the difference of two of them could.
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

returned as (

    select
        hole_values.dataset,
        hole_values.judgment_set,
        hole_values.run_id,
        hole_values.judgment_set_id,
        hole_values.query_id,
        hole_values.doc_id,
        hole_values.position,
        hole_values.difference

    from hole_values

    -- Further down, a document moves a run as if it did not return it.
    where $reach is null or hole_values.position <= $reach

),

shown as (

    select
        returned.dataset,
        returned.judgment_set,
        returned.judgment_set_id,
        returned.query_id,
        returned.doc_id,
        count(*) as runs,
        min(returned.position) as best_position

    from returned

    where returned.position <= $depth

    group by
        returned.dataset,
        returned.judgment_set,
        returned.judgment_set_id,
        returned.query_id,
        returned.doc_id

),

-- A run that does not return the document may lose by it.
moves as (

    select
        shown.judgment_set_id,
        shown.query_id,
        shown.doc_id,
        coalesce(
            returned.difference,
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

    left join returned
        on
            value_parts.run_id = returned.run_id
            and value_parts.judgment_set_id = returned.judgment_set_id
            and shown.query_id = returned.query_id
            and shown.doc_id = returned.doc_id

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
