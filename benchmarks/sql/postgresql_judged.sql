-- Two judgments for each user, of documents in both halves of the run.
select
    users.number as user_id,
    'item-'
    || (
        users.number * 7919
        + (1 + users.number % 10 + 10 * (places.number - 1)) * 104729
    )
    % 200003 as item_id,
    places.number as grade

from generate_series(1, $users) as users (number)

cross join generate_series(1, 2) as places (number)
