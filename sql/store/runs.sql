insert into runs by name
select
    $run_id as run_id,
    $dataset as dataset,
    $name as name,
    $position_rule as position_rule,
    $source as source,
    $content_hash as content_hash,
    cast($run_at as timestamp) as run_at,
    cast($loaded_at as timestamp) as loaded_at,
    count(*) as query_count,
    coalesce(sum(run_queries.retrieved), 0) as document_count
from run_queries
where run_queries.run_id = $run_id
