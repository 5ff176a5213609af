-- The median of the terms of a document in at most four places: of two in the
-- middle, their mean. It is that of steps/median, which collects the terms of
-- all documents before it orders them.
select
    source_rows.query_id,
    source_rows.doc_id,
    list_median(
        [
            max(case when source_rows.place = 1 then source_rows.term end),
            max(case when source_rows.place = 2 then source_rows.term end),
            max(case when source_rows.place = 3 then source_rows.term end),
            max(case when source_rows.place = 4 then source_rows.term end)
        ]
    ) as term

from source_rows

group by
    source_rows.query_id,
    source_rows.doc_id
