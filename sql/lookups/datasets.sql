-- One row is a dataset that something was loaded into.
select judgment_sets.dataset from judgment_sets
union
select assessment_sets.dataset from assessment_sets
union
select runs.dataset from runs
union
select queries.dataset from queries
union
select documents.dataset from documents
union
select known_documents.dataset from known_documents
order by dataset
