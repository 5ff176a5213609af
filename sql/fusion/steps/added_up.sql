-- The terms of a document in at most four places added up, as in steps/added;
-- shown is how many they are.
select
    source_rows.query_id,
    source_rows.doc_id,
    sum(
        case
            when source_rows.place in (1, 2) then source_rows.term
            else 0
        end
    ) + sum(
        case
            when source_rows.place in (3, 4) then source_rows.term
            else 0
        end
    ) as term,
    sum(source_rows.shown) as shown

from source_rows

group by
    source_rows.query_id,
    source_rows.doc_id
