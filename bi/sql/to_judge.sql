-- What is to be judged next? One row is a document that nobody judged, among the
-- first 10 of a candidate or of a baseline, with its position in both (null
-- below 10). Queries with the largest share of the weights come first; weights
-- as in queries.sql.
with pairs as (

    select distinct
        run_comparisons.dataset,
        run_comparisons.judgment_set,
        run_comparisons.judgment_set_id,
        run_comparisons.baseline,
        run_comparisons.baseline_run_id,
        run_comparisons.candidate,
        run_comparisons.candidate_run_id

    from run_comparisons

),

sides as (

    select
        pairs.dataset,
        pairs.judgment_set,
        pairs.baseline,
        pairs.candidate,
        unjudged_documents.query_id,
        unjudged_documents.doc_id,
        unjudged_documents.position as candidate_position,
        null as baseline_position

    from pairs

    inner join unjudged_documents
        on
            pairs.judgment_set_id = unjudged_documents.judgment_set_id
            and pairs.candidate_run_id = unjudged_documents.run_id

    where unjudged_documents.position <= 10

    union all

    select
        pairs.dataset,
        pairs.judgment_set,
        pairs.baseline,
        pairs.candidate,
        unjudged_documents.query_id,
        unjudged_documents.doc_id,
        null as candidate_position,
        unjudged_documents.position as baseline_position

    from pairs

    inner join unjudged_documents
        on
            pairs.judgment_set_id = unjudged_documents.judgment_set_id
            and pairs.baseline_run_id = unjudged_documents.run_id

    where unjudged_documents.position <= 10

),

unjudged as (

    select
        sides.dataset,
        sides.judgment_set,
        sides.baseline,
        sides.candidate,
        sides.query_id,
        sides.doc_id,
        min(sides.candidate_position) as candidate_position,
        min(sides.baseline_position) as baseline_position

    from sides

    group by
        sides.dataset,
        sides.judgment_set,
        sides.baseline,
        sides.candidate,
        sides.query_id,
        sides.doc_id

),

weighted as (

    select
        queries.dataset,
        count(queries.weight_share) as weights,
        count(*) as queries

    from queries

    group by queries.dataset

)

select
    unjudged.dataset,
    unjudged.judgment_set,
    unjudged.baseline,
    unjudged.candidate,
    unjudged.query_id,
    coalesce(queries.text, unjudged.query_id) as query,
    unjudged.doc_id,
    coalesce(documents.title, unjudged.doc_id) as document,
    unjudged.candidate_position,
    unjudged.baseline_position,
    case
        when weighted.weights > 0 then coalesce(queries.weight_share, 0)
        else 1.0 / weighted.queries
    end as weight_share

from unjudged

inner join queries
    on
        unjudged.dataset = queries.dataset
        and unjudged.query_id = queries.query_id

inner join weighted
    on unjudged.dataset = weighted.dataset

left join documents
    on
        unjudged.dataset = documents.dataset
        and unjudged.doc_id = documents.doc_id

order by
    weight_share desc,
    coalesce(unjudged.candidate_position, unjudged.baseline_position) asc,
    unjudged.query_id asc,
    unjudged.doc_id asc
