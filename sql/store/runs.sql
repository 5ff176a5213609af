insert into runs (
    run_id,
    dataset,
    name,
    position_rule,
    source,
    content_hash,
    run_at,
    loaded_at,
    query_count,
    document_count
)
select
    $run_id,
    $dataset,
    $name,
    $position_rule,
    $source,
    $content_hash,
    cast($run_at as timestamp),
    cast($loaded_at as timestamp),
    count(distinct rankings.query_id),
    count(*)

from rankings

where rankings.run_id = $run_id
