-- One row is a run that is fused, in the order in which its terms are added up.
-- Parameters of methods are columns, so that views can read them.
select
    places.place,
    list_extract($run_ids, places.place) as run_id,
    list_extract($weights, places.place) as weight,
    cast($k as double) as k

from unnest(generate_series(1, len($run_ids))) as places (place)
