-- The staged rows of a run file with each document once for a query, or for a
-- query of each run; dropped counts the rows that were left out in its place. With
-- $unit_before, a document is the id up to the last such text, if anything is before
-- it.
create or replace temp table staged as
with units as (
    select
        staged.* replace (
            case
                when contains(staged.doc_id, $unit_before)
                    then
                        coalesce(
                            nullif(
                                regexp_extract(
                                    staged.doc_id,
                                    '(?s)^(.+)' || regexp_escape($unit_before),
                                    1
                                ),
                                ''
                            ),
                            staged.doc_id
                        )
                else staged.doc_id
            end as doc_id
        ),
        -- All documents of a list may be on one line.
        row_number() over (order by staged.line_number, staged.rowid) as place
    from staged
)

select
    units.* exclude (place),  -- noqa: RF03
    count(*)
        over (partition by case when $by_run then units.run end, units.query_id, units.doc_id)
    - 1 as dropped
from units
qualify
    row_number()
        over (
            partition by case when $by_run then units.run end, units.query_id, units.doc_id
            order by
                case when $duplicates = 'max' then units.score end desc nulls last,
                -- Of equal scores, the best rank is that of the document.
                case when $duplicates in ('max', 'place') then units.rank end asc nulls last,
                case when $duplicates = 'last' then -1 else 1 end * units.place
        )
    = 1
