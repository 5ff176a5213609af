-- One row is a measure of a run that has no value because the run shows documents
-- that are not in the catalogue: how many these are, and of how many.
select
    shown_totals.measure,
    cast(shown_totals.outside as bigint) as outside,
    cast(shown_totals.distinct_documents as bigint) as distinct_documents
from shown_totals
inner join family_needs using (family)
where
    shown_totals.run_id = $run_id
    and shown_totals.judgment_set_id = $judgment_set_id
    and shown_totals.attribute is null
    and list_contains($measures, shown_totals.measure)
    and family_needs.need = 'documents'
    and shown_totals.outside > 0
order by list_position($measures, shown_totals.measure)
