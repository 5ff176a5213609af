-- One row is a judged document. The judged documents of a query are denser at
-- the top of the list that runs rank (see run.sql), as in a pool; some are
-- below everything that is returned.
select
    case
        when $long_ids then upper(left(md5('query ' || places.query), 26))
        else (10000 + 157 * places.query)::varchar
    end as query_id,
    '0' as iteration,
    case
        when $long_ids then upper(left(md5(places.document::varchar), 26))
        else places.document::varchar
    end as doc_id,
    places.grade

from (
    select
        draws.query,
        (
            7919 * draws.query
            + 104729
            * (
                draws.pick
                + floor(
                    (1.5 * $documents)
                    ** ((draws.pick + draws.share) / draws.picks)
                )::bigint
            )
        ) % $collection as document,
        $grades[1 + draws.lot % len($grades)] as grade

    from (
        select
            queries.query,
            picks.pick,
            floor((queries.query + 1) * $judged)
            - floor(queries.query * $judged) as picks,
            (
                md5_number_lower(queries.query || ' ' || picks.pick) % 10007
            )::bigint as lot,
            lot / 10007 as share

        from range($queries) as queries (query)

        cross join range(ceil($judged)::bigint) as picks (pick)
    ) as draws

    where draws.pick < draws.picks
) as places
