-- table positions: {row_count} rows, the last one {last}, but the deepest run
-- has {deepest}; restore the file from a copy
select
    count(*) as row_count,
    coalesce(max(position), 0) as last,
    (select coalesce(max(rankings.position), 0) from rankings) as deepest
from positions
having count(distinct position) <> row_count or row_count <> last or last < deepest
