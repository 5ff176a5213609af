-- One row is a measure of a run that has no value because the run shows documents
-- that are not in the catalogue: how many these are, and of how many.
select
    runs.name as run,
    dataset, measure,
    cast(outside as bigint) as outside,
    cast(distinct_documents as bigint) as documents
from shown_totals
inner join runs using (run_id)
where
    run_id = $run_id
    and judgment_set_id = $judgment_set_id
    and attribute is null
    and list_contains($measures, measure)
    and family in (select family from family_needs where need = 'documents')
    and outside > 0
order by list_position($measures, measure)
