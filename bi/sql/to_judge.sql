-- What is to be judged next? One row is a document that nobody judged, among the
-- first 10 of a candidate or of a baseline, with its position in both (null
-- below 10). Queries with the largest share of the weights come first, and of
-- equal ones the documents that stand highest in either run; weights as in
-- queries.sql.
with roles as (

    select 'candidate' as role

    union all

    select 'baseline' as role

),

sides as (

    select distinct
        run_comparisons.dataset,
        run_comparisons.judgment_set,
        run_comparisons.judgment_set_id,
        run_comparisons.baseline,
        run_comparisons.candidate,
        roles.role,
        case roles.role
            when 'candidate' then run_comparisons.candidate_run_id
            else run_comparisons.baseline_run_id
        end as run_id

    from run_comparisons

    cross join roles

),

unjudged as (

    select
        sides.dataset,
        sides.judgment_set,
        sides.baseline,
        sides.candidate,
        unjudged_documents.query_id,
        unjudged_documents.doc_id,
        min(
            case
                when sides.role = 'candidate' then unjudged_documents.position
            end
        ) as candidate_position,
        min(
            case
                when sides.role = 'baseline' then unjudged_documents.position
            end
        ) as baseline_position,
        min(unjudged_documents.position) as best_position

    from sides

    inner join unjudged_documents using (judgment_set_id, run_id)

    where unjudged_documents.position <= 10

    group by
        sides.dataset,
        sides.judgment_set,
        sides.baseline,
        sides.candidate,
        unjudged_documents.query_id,
        unjudged_documents.doc_id

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
    unjudged.best_position,
    queries.weight,
    case
        when weighted.weights > 0 then coalesce(queries.weight_share, 0)
        else 1.0 / weighted.queries
    end as weight_share

from unjudged

inner join queries using (dataset, query_id)

inner join weighted using (dataset)

left join documents using (dataset, doc_id)

order by
    weight_share desc,
    unjudged.best_position asc,
    unjudged.query_id asc,
    unjudged.doc_id asc
