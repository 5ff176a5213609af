-- judgment set {judgment_set}, query {query}: document {document} is judged
-- twice; remove the judgment set, and load it again
select
    coalesce(
        judgment_sets.name, cast(judgments.judgment_set_id as varchar)
    ) as judgment_set,
    judgments.query_id as query,
    judgments.doc_id as document

from judgments

left join judgment_sets using (judgment_set_id)

group by
    judgments.judgment_set_id,
    judgment_sets.name,
    judgments.query_id,
    judgments.doc_id

having count(*) > 1

order by
    judgments.judgment_set_id,
    judgments.query_id,
    judgments.doc_id
