-- One row is a registered measure of whole rankings: its values rest on all
-- documents that a run shows, judged or not, down to a depth. If its summary is
-- none, these are values of runs.
select
    measures.measure,
    measures.family,
    measures.summary,
    measures.cutoff,
    coalesce(measures.cutoff, 999999999) as depth,
    measures.known,
    measures.tail,
    measures.by_attribute

from measures

inner join family_needs using (family)

where family_needs.need = 'rankings'
