-- One row is a document that a run returned, judged or not, down to the depth of a basis of
-- measures of whole rankings. Its gain is its popularity (how many queries know it), its novelty
-- (-log2 of the share of knowing queries that know it; known to nobody counts as known to one), or
-- 1 in the tail of the catalogue. Rankings that are elsewhere show nothing.
select
    run_id, query_id, basis, dataset, doc_id, position, by_attribute,
    case gain_scheme
        when 'tail' then if(tail_documents.doc_id is null, null, 1)
        when 'novelty' then log2(knowing) - log2(coalesce(popularity, 1))
        when 'popularity' then popularity
    end as gain
from listed_rankings
inner join runs using (run_id)
inner join bases using (known)
left join document_popularities using (dataset, doc_id)
left join tail_documents using (dataset, doc_id, tail)
left join knowing_queries using (dataset)
where reads = 'rankings' and position <= depth
