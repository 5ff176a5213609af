-- One row is a registered measure of whole rankings: its values rest on all
-- documents that a run shows, judged or not.
select
    measures.measure,
    measures.family,
    measures.cutoff,
    measures.known,
    measures.tail,
    measures.by_attribute

from measures

inner join family_needs using (family)

where family_needs.need = 'rankings'
