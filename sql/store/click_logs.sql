-- The log that a judgment set was made of.
insert into click_logs by name
select
    $judgment_set_id as judgment_set_id,
    $min_impressions as min_impressions,
    $impressions as impressions,
    $actions as actions,
    cast($first_at as timestamp) as first_at,
    cast($last_at as timestamp) as last_at
