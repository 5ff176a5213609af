-- Coverage: the documents that a run shows to any judged query, as a share of
-- the catalogue (Ge et al. 2010, RecSys; RecBole's ItemCoverage). There is no
-- value if it shows documents that are not in the catalogue.
select
    shown_totals.run_id,
    shown_totals.run,
    shown_totals.judgment_set_id,
    shown_totals.attribute,
    shown_totals.slice,
    shown_totals.measure,
    case
        when shown_totals.outside = 0
            then
                shown_totals.distinct_documents
                / nullif(shown_totals.catalogue_size, 0)
    end as value,
    shown_totals.n

from shown_totals

where shown_totals.family = 'Coverage'
