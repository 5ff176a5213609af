-- One row is a family of measures that can be registered.
select
    families.measure,
    families.trec_eval,
    families.parameters,
    families.meaning,
    families.source
from families
order by families.rowid
