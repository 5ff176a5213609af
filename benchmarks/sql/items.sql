-- One row is an item of the catalogue with its category, one of 50.
select
    items.item::varchar as doc_id,
    'category ' || items.item * 7919 % 50 as category

from range($items) as items (item)
