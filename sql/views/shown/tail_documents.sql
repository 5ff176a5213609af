-- One row is a document in the tail of a dataset's catalogue, its table of
-- documents: the share that a measure takes of the least popular ones, rounded
-- down as in RecBole, and at least one. Equally popular ones are in the order of
-- their ids.
with tails as (

    select distinct shown_measures.tail

    from shown_measures

    where shown_measures.tail is not null

),

catalogue as (

    select
        documents.dataset,
        documents.doc_id,
        row_number() over (
            partition by documents.dataset
            order by
                coalesce(document_popularities.popularity, 0),
                documents.doc_id
        ) as place,
        count(*) over (partition by documents.dataset) as size

    from documents

    left join document_popularities using (dataset, doc_id)

)

select
    catalogue.dataset,
    catalogue.doc_id,
    tails.tail

from catalogue

inner join tails
    on catalogue.place <= greatest(floor(catalogue.size * tails.tail), 1)
