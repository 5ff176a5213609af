-- One row is a line of a run, best first. Each run ranks different places of an
-- endless list of documents that each query has. No score appears twice in one
-- query, because tools differ in the order of equal scores.
select
    case
        when $long_ids then upper(left(md5('query ' || lines.query), 26))
        else (10000 + 157 * lines.query)::varchar
    end as query_id,
    'Q0' as q0,
    case
        when $long_ids then upper(left(md5(lines.document::varchar), 26))
        else lines.document::varchar
    end as doc_id,
    lines.position,
    (30 - 3 * ln(lines.position) - lines.document % 997 / 1e6)::decimal(9, 6)
        as score,
    'bench' as tag

from (
    select
        numbers.number // $documents as query,
        1 + numbers.number % $documents as position,
        (
            7919 * (numbers.number // $documents)
            + 104729 * (1 + numbers.number % $documents + 2 * ($run - 1))
        ) % $collection as document

    from range($queries * $documents) as numbers (number)
) as lines
