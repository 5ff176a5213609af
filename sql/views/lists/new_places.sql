-- One row is a document that a run returned and that the query does not know
-- (see known_documents), at its position in the ranking that is left without
-- known documents. There are rows only if some measure takes these out.
select
    rankings.run_id,
    runs.name as run,
    rankings.query_id,
    rankings.doc_id,
    cast(
        row_number() over (
            partition by
                rankings.run_id,
                runs.name,
                rankings.query_id
            order by rankings.position
        ) as integer
    ) as position

from rankings

inner join runs using (run_id)

inner join omitting_datasets using (dataset)

left join omitted_documents using (dataset, query_id, doc_id)

where omitted_documents.doc_id is null
