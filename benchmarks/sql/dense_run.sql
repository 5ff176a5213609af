-- One row is a line of the run of a dense retriever, best first: the queries and
-- documents of run.sql under ids of 26 characters, with doubles as scores, of 16
-- or 17 digits; the last ones of each query have exponents.
select
    upper(left(md5('query ' || lines.query), 26)) as query_id,
    'Q0' as q0,
    upper(left(md5(lines.document::varchar), 26)) as doc_id,
    lines.position,
    case
        when lines.position > 0.98 * $documents
            then exp(-8 - lines.position / $documents)
        else 1 - ln(lines.position) / 10
    end
    - lines.document % 997 / 1e12 as score,
    'dense' as tag

from (
    select
        numbers.number // $documents as query,
        1 + numbers.number % $documents as position,
        (
            7919 * (numbers.number // $documents)
            + 104729 * (1 + numbers.number % $documents)
        ) % $collection as document

    from range($queries * $documents) as numbers (number)
) as lines
