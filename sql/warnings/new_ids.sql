-- Each id once, and whether it is new; no row if none is new. Of very many ids, it would
-- take a notable part of the time to load them to compare all.
select
    source_rows.id,
    bool_and(source_rows.is_new) as is_new
from source_rows
group by source_rows.id
qualify bool_or(bool_and(source_rows.is_new)) over () and count(*) over () <= 100_000
