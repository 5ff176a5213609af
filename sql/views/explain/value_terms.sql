-- One row is a document of a run's ranking that adds a term to a value: the
-- precision there for AP, 1 / position of the first relevant document for RR, 1
-- for P, R and Success, the probability of getting there for RBP, and that of
-- stopping there, divided by the position, for ERR and nERR; for measures of
-- subtopics, the sum of its terms for those that it gains for (see
-- subtopic_documents). found counts the relevant documents down to it.
select
    relevant_hits.run_id,
    relevant_hits.judgment_set_id,
    relevant_hits.query_id,
    relevant_hits.measure,
    relevant_hits.position,
    relevant_hits.found,
    cast(null as double) as satisfaction,
    cast(null as double) as reach,
    cast(null as varchar) as subtopics,
    case relevant_hits.family
        when 'AP' then relevant_hits.found / relevant_hits.position
        when 'RR' then 1 / relevant_hits.position
        when 'RBP' then power(measures.p, relevant_hits.position - 1)
        else 1
    end as term

from relevant_hits

inner join measures using (measure)

where
    relevant_hits.family in ('AP', 'P', 'R', 'RBP')
    or (relevant_hits.family in ('RR', 'Success') and relevant_hits.found = 1)

union all

select
    reached_positions.run_id,
    reached_positions.judgment_set_id,
    reached_positions.query_id,
    reached_positions.measure,
    reached_positions.position,
    cast(null as bigint) as found,
    reached_positions.satisfaction,
    reached_positions.reach,
    cast(null as varchar) as subtopics,
    reached_positions.satisfaction
    * reached_positions.reach
    / reached_positions.position as term

from reached_positions

where reached_positions.part = 'run'

union all

select
    subtopic_documents.run_id,
    subtopic_documents.judgment_set_id,
    subtopic_documents.query_id,
    subtopic_documents.measure,
    subtopic_documents.position,
    cast(null as bigint) as found,
    cast(null as double) as satisfaction,
    cast(null as double) as reach,
    subtopic_documents.subtopics,
    subtopic_documents.term

from subtopic_documents
