-- One row is a line of a recommender's run: a user and an item, best first. Few
-- items of the catalogue are shown to many users. An item's number tells its
-- place in every list that has it, so that no list has it twice.
select
    (10000 + 157 * lines.query)::varchar as query_id,
    'Q0' as q0,
    (
        lines.place
        + $documents
        * floor(lines.share * lines.share * lines.share * lines.items)::bigint
    )::varchar as doc_id,
    1 + lines.place as position,
    1 / (1 + lines.place) as score,
    'bench' as tag

from (
    select
        numbers.number // $documents as query,
        numbers.number % $documents as place,
        $items // $documents as items,
        md5_number_lower('shown ' || numbers.number) % 1000003 / 1000003
            as share

    from range($queries * $documents) as numbers (number)
) as lines
