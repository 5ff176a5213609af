-- One row is a run that fuse made: tags say how, and of which runs.
select fusions.run_id

from run_tags as fusions

inner join run_tags as sources using (run_id)

where
    fusions.tag = 'fusion'
    and sources.tag = 'sources'
