-- One row is a document in the tail of a dataset's catalogue, its table of documents: the share
-- that a measure takes of the least popular ones, rounded down as in RecBole, and at least one.
-- Equally popular ones are in the order of their ids.
with catalogue as (
    select
        dataset, doc_id,
        row_number() over (partition by dataset order by coalesce(popularity, 0), doc_id) as place,
        count(*) over (partition by dataset) as size
    from documents
    left join document_popularities using (dataset, doc_id)
)

select dataset, doc_id, tail
from catalogue
inner join (select distinct tail from settings where tail is not null) as tails
    on place <= greatest(floor(size * tail), 1)
