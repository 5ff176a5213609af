-- The terms of four places added up, which then take one place; shown is how
-- many they are. A sum of two terms is the same in whatever order threads add
-- them, and the pairs are added one after the other.
select
    (source_rows.place + 3) // 4 as place,
    source_rows.query_id,
    source_rows.doc_id,
    sum(
        case
            when source_rows.place % 4 in (1, 2) then source_rows.term
            else 0
        end
    ) + sum(
        case
            when source_rows.place % 4 in (3, 0) then source_rows.term
            else 0
        end
    ) as term,
    sum(source_rows.shown) as shown

from source_rows

group by
    (source_rows.place + 3) // 4,
    source_rows.query_id,
    source_rows.doc_id
