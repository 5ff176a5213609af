-- A run of 20 documents for each user, with scores that differ.
select
    users.number as user_id,
    'item-'
    || (users.number * 7919 + places.number * 104729) % 200003 as item_id,
    1 / (places.number + (users.number % 997) / 1000.0::float8) as score

from generate_series(1, $users) as users (number)

cross join generate_series(1, 20) as places (number)
