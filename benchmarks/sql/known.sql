-- One row is an item that a user knows. Few items of the catalogue are known to
-- many users, and not the same ones as are shown (see recommended.sql).
select
    (10000 + 157 * pairs.query)::varchar as query_id,
    (
        pairs.place
        + $known
        * floor(pairs.share * pairs.share * pairs.items)::bigint
    )::varchar as doc_id

from (
    select
        numbers.number // $known as query,
        numbers.number % $known as place,
        $items // $known as items,
        md5_number_lower('known ' || numbers.number) % 1000003 / 1000003
            as share

    from range($queries * $known) as numbers (number)
) as pairs
