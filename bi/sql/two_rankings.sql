-- What does a query show? One row is a position of a query's ranking, to 10,
-- with the documents that a baseline and a candidate have there, their grades
-- (null if nobody judged them), and the position that the candidate's document
-- had in the baseline. Filter by query_id, baseline and candidate.
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
        rankings.query_id,
        rankings.position,
        rankings.doc_id as baseline_doc_id,
        judgments.grade as baseline_grade,
        null as candidate_doc_id,
        null as candidate_grade,
        null as position_before

    from pairs

    inner join rankings
        on pairs.baseline_run_id = rankings.run_id

    left join judgments
        on
            pairs.judgment_set_id = judgments.judgment_set_id
            and rankings.query_id = judgments.query_id
            and rankings.doc_id = judgments.doc_id

    where rankings.position <= 10

    union all

    select
        pairs.dataset,
        pairs.judgment_set,
        pairs.baseline,
        pairs.candidate,
        rankings.query_id,
        rankings.position,
        null as baseline_doc_id,
        null as baseline_grade,
        rankings.doc_id as candidate_doc_id,
        judgments.grade as candidate_grade,
        earlier.position as position_before

    from pairs

    inner join rankings
        on pairs.candidate_run_id = rankings.run_id

    left join rankings as earlier
        on
            pairs.baseline_run_id = earlier.run_id
            and rankings.query_id = earlier.query_id
            and rankings.doc_id = earlier.doc_id

    left join judgments
        on
            pairs.judgment_set_id = judgments.judgment_set_id
            and rankings.query_id = judgments.query_id
            and rankings.doc_id = judgments.doc_id

    where rankings.position <= 10

),

positions as (

    select
        sides.dataset,
        sides.judgment_set,
        sides.baseline,
        sides.candidate,
        sides.query_id,
        sides.position,
        max(sides.baseline_doc_id) as baseline_doc_id,
        max(sides.baseline_grade) as baseline_grade,
        max(sides.candidate_doc_id) as candidate_doc_id,
        max(sides.candidate_grade) as candidate_grade,
        max(sides.position_before) as position_before

    from sides

    group by
        sides.dataset,
        sides.judgment_set,
        sides.baseline,
        sides.candidate,
        sides.query_id,
        sides.position

)

select
    positions.dataset,
    positions.judgment_set,
    positions.baseline,
    positions.candidate,
    positions.query_id,
    coalesce(queries.text, positions.query_id) as query,
    positions.position,
    coalesce(baseline_documents.title, positions.baseline_doc_id)
        as baseline_document,
    positions.baseline_grade,
    coalesce(candidate_documents.title, positions.candidate_doc_id)
        as candidate_document,
    positions.candidate_grade,
    positions.position_before,
    positions.baseline_doc_id,
    positions.candidate_doc_id

from positions

inner join queries using (dataset, query_id)

left join documents as baseline_documents
    on
        positions.dataset = baseline_documents.dataset
        and positions.baseline_doc_id = baseline_documents.doc_id

left join documents as candidate_documents
    on
        positions.dataset = candidate_documents.dataset
        and positions.candidate_doc_id = candidate_documents.doc_id

order by
    positions.query_id,
    positions.position
