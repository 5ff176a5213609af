-- nDCG@10
-- Results: ndcg_sql.query_values, ndcg_sql.run_values.
-- Remove all: drop schema ndcg_sql cascade

select case when count(*) > 0 then raise_error('results: a run, query id or document id is null, or a score is null or not a number; remove or repair these rows') end as found
from (
    SELECT
        given_rankings.system,
        given_rankings.user_id,
        given_rankings.item,
        given_rankings.score
    FROM results AS given_rankings
    WHERE
        given_rankings.system IS NULL
        OR given_rankings.user_id IS NULL
        OR given_rankings.item IS NULL
        OR given_rankings.score IS NULL
        OR CAST(given_rankings.score AS DOUBLE) = CAST('NaN' AS DOUBLE)
        OR NOT (
            CAST(given_rankings.score AS DOUBLE) <= CAST('Infinity' AS DOUBLE)
        )
) as bad;

select case when count(*) > 0 then raise_error('results: a document is there twice for a run and query; keep one of its rows') end as found
from (
    SELECT
        CAST(given_rankings.system AS STRING) AS run_id,
        CAST(given_rankings.user_id AS STRING) AS query_id,
        CAST(given_rankings.item AS STRING) AS doc_id
    FROM results AS given_rankings
    GROUP BY
        CAST(given_rankings.system AS STRING),
        CAST(given_rankings.user_id AS STRING),
        CAST(given_rankings.item AS STRING)
    HAVING
        count(*) > 1
) as bad;

select case when count(*) > 0 then raise_error('grades: a query id, document id or grade is null, or a grade is not a finite number or above 1e300; remove or repair these rows') end as found
from (
    SELECT
        given_judgments.user_id,
        given_judgments.item,
        given_judgments.grade
    FROM grades AS given_judgments
    WHERE
        given_judgments.user_id IS NULL
        OR given_judgments.item IS NULL
        OR given_judgments.grade IS NULL
        OR NOT (
            abs(CAST(given_judgments.grade AS DOUBLE)) <= CAST(1e300 AS DOUBLE)
        )
        OR CAST(given_judgments.grade AS DOUBLE) = CAST('NaN' AS DOUBLE)
) as bad;

select case when count(*) > 0 then raise_error('grades: a document is judged twice for a query; keep one of its rows') end as found
from (
    SELECT
        CAST(given_judgments.user_id AS STRING) AS query_id,
        CAST(given_judgments.item AS STRING) AS doc_id
    FROM grades AS given_judgments
    GROUP BY
        CAST(given_judgments.user_id AS STRING),
        CAST(given_judgments.item AS STRING)
    HAVING
        count(*) > 1
) as bad;

create schema ndcg_sql;

-- One row is a judged document of a query.
create table ndcg_sql.judgments using parquet as
SELECT
    CAST(given_judgments.user_id AS STRING) AS query_id,
    CAST(given_judgments.item AS STRING) AS doc_id,
    CAST(given_judgments.grade AS DOUBLE) + 0 AS grade
FROM grades AS given_judgments;

-- One row is the judgment set: all rows of the table of judgments.
create table ndcg_sql.judgment_sets using parquet as
SELECT
    count(DISTINCT judgments.query_id) AS query_count
FROM ndcg_sql.judgments;

-- One row is a document that a run returned for a query, at its position: in
-- descending order of scores; equal scores in descending order of document ids,
-- by bytes.
create table ndcg_sql.rankings using parquet as
WITH given AS (
    SELECT
        CAST(given_rankings.system AS STRING) AS run_id,
        CAST(given_rankings.user_id AS STRING) AS query_id,
        CAST(given_rankings.item AS STRING) AS doc_id,
        CAST(given_rankings.score AS DOUBLE) + 0 AS score
    FROM results AS given_rankings
)
SELECT
    given.run_id,
    given.query_id,
    given.doc_id,
    row_number() OVER (
        PARTITION BY given.run_id, given.query_id
        ORDER BY given.score DESC, given.doc_id DESC
    ) AS position
FROM given;

-- One row is a query that a run answered, with the number of documents that it
-- returned.
create table ndcg_sql.run_queries using parquet as
SELECT
    rankings.run_id,
    rankings.query_id,
    count(*) AS retrieved
FROM ndcg_sql.rankings
GROUP BY
    rankings.run_id,
    rankings.query_id;

-- One row is a run, with the number of queries that it answered.
create table ndcg_sql.runs using parquet as
SELECT
    run_queries.run_id,
    count(*) AS query_count
FROM ndcg_sql.run_queries
GROUP BY
    run_queries.run_id;

-- One row is the gain of a grade of a judgment set under a gain scheme: linear
-- (the grade itself), exp (2^grade - 1; Burges et al. 2005), binary (1), or a
-- table of gains, where a grade that is not named keeps itself as its gain. A
-- grade below rel gains nothing. A negative grade means that the document was
-- not judged: it gains nothing. Gains may be infinite here; see grade_gains.
create table ndcg_sql.scheme_gains using parquet as
WITH grades AS (
    SELECT DISTINCT
        judgments.grade
    FROM ndcg_sql.judgments
)
SELECT
    grades.grade,
    CASE WHEN grades.grade < 0 THEN 0 ELSE grades.grade END AS gain
FROM grades;

-- One row is the gain of a grade of a judgment set under a gain scheme (see
-- scheme_gains). A gain that is too large to be summed is 0: no measure is
-- evaluated with it.
create table ndcg_sql.grade_gains using parquet as
SELECT
    scheme_gains.grade,
    CASE
        WHEN abs(scheme_gains.gain) > CAST(1e300 AS DOUBLE)
        THEN 0
        ELSE scheme_gains.gain
    END AS gain
FROM ndcg_sql.scheme_gains;

-- One row is a judged document at its position in the ideal ranking of its
-- query: the documents with a gain above 0, in descending order of gain
-- (Järvelin & Kekäläinen 2002, ACM TOIS 20(4)). Equal gains are in descending
-- order of document ids; no value depends on that.
create table ndcg_sql.ideal_rankings using parquet as
SELECT
    judgments.query_id,
    row_number() OVER (
        PARTITION BY judgments.query_id
        ORDER BY grade_gains.gain DESC, judgments.doc_id DESC
    ) AS position,
    grade_gains.gain
FROM ndcg_sql.judgments
INNER JOIN ndcg_sql.grade_gains
    ON judgments.grade = grade_gains.grade
WHERE
    grade_gains.gain > 0;

-- One row is a query that a judgment set judges. These rows, not the queries
-- that a run answered, decide which queries count in a mean.
create table ndcg_sql.judged_queries using parquet as
SELECT
    judgments.query_id
FROM ndcg_sql.judgments
GROUP BY
    judgments.query_id;

-- One row is a pair of a run and a judgment set of one dataset, with the number
-- of judged queries that the run answered, of judged queries that it did not
-- answer, and of unjudged queries that it answered.
create table ndcg_sql.evaluations using parquet as
WITH shared AS (
    SELECT
        run_queries.run_id,
        count(*) AS answered
    FROM ndcg_sql.run_queries
    INNER JOIN ndcg_sql.judged_queries
        ON run_queries.query_id = judged_queries.query_id
    GROUP BY
        run_queries.run_id
)
SELECT
    runs.run_id,
    coalesce(shared.answered, 0) AS answered,
    judgment_sets.query_count - coalesce(shared.answered, 0) AS unanswered,
    runs.query_count - coalesce(shared.answered, 0) AS unjudged_queries
FROM ndcg_sql.runs
CROSS JOIN ndcg_sql.judgment_sets
LEFT JOIN shared
    ON runs.run_id = shared.run_id;

-- One row is a hit: a document that a run returned and that has a judgment in a
-- judgment set of the same dataset (a negative grade too), at its position in
-- the run.
create table ndcg_sql.hits using parquet as
SELECT
    rankings.run_id,
    rankings.query_id,
    rankings.position,
    judgments.grade
FROM ndcg_sql.rankings
INNER JOIN ndcg_sql.judgments
    ON rankings.query_id = judgments.query_id
    AND rankings.doc_id = judgments.doc_id;

-- One row is a judged query of an evaluation with a ranking that some measure
-- looks at. listed is the length of that ranking; retrieved is the length of
-- the ranking that the run returned, or 0 if it did not answer.
create table ndcg_sql.listed_queries using parquet as
SELECT
    evaluations.run_id,
    judged_queries.query_id
FROM ndcg_sql.evaluations
CROSS JOIN ndcg_sql.judged_queries;

-- One row is a document in a ranking of the gain family.
create table ndcg_sql.discounted_gains using parquet as
WITH parts AS (
    SELECT
        hits.run_id,
        hits.query_id,
        'run' AS part,
        hits.position,
        grade_gains.gain
    FROM ndcg_sql.hits
    INNER JOIN ndcg_sql.grade_gains
        ON hits.grade = grade_gains.grade
    WHERE
        hits.position <= 10
    UNION ALL
    SELECT
        listed_queries.run_id,
        listed_queries.query_id,
        'ideal' AS part,
        CAST(ideal_rankings.position AS INT) AS position,
        ideal_rankings.gain
    FROM ndcg_sql.listed_queries
    INNER JOIN ndcg_sql.ideal_rankings
        ON listed_queries.query_id = ideal_rankings.query_id
    WHERE
        ideal_rankings.position <= 10
)
SELECT
    parts.run_id,
    parts.query_id,
    parts.part,
    parts.position,
    parts.gain,
    log(2, parts.position + 1) AS discount
FROM parts;

-- One row is a ranking of the gain family (see discounted_gains), or the upper
-- part of one that ends at the cutoff of another measure: the sums of its gains
-- down to position, plain and discounted. Terms are added in the order of
-- positions, so that the last bits are those of a sequential sum.
create table ndcg_sql.gain_prefixes using parquet as
SELECT
    discounted_gains.run_id,
    discounted_gains.query_id,
    discounted_gains.part,
    max(discounted_gains.position) AS position,
    sum(discounted_gains.gain / discounted_gains.discount) AS dcg
FROM ndcg_sql.discounted_gains
WHERE
    discounted_gains.part IN ('run', 'ideal')
GROUP BY
    discounted_gains.run_id,
    discounted_gains.query_id,
    discounted_gains.part;

-- One row is the value of a registered measure for a judged query of an
-- evaluation, if the measure fits the judgment set.
create table ndcg_sql.stored_values using parquet as
SELECT
    listed_queries.run_id,
    listed_queries.query_id,
    CASE
        WHEN NOT (
            coalesce(ideal.dcg, 0) <= 0
        )
        THEN CASE
            WHEN coalesce(ideal.dcg, 0) > 0
            THEN coalesce(actual.dcg, 0) / coalesce(ideal.dcg, 0)
            ELSE 0
        END
        ELSE 0
    END AS value,
    coalesce(ideal.dcg, 0) <= 0 AS nothing_relevant
FROM ndcg_sql.listed_queries
LEFT JOIN ndcg_sql.gain_prefixes AS actual
    ON listed_queries.run_id = actual.run_id
    AND listed_queries.query_id = actual.query_id
    AND 10 >= actual.position
    AND actual.part = 'run'
LEFT JOIN ndcg_sql.gain_prefixes AS ideal
    ON listed_queries.run_id = ideal.run_id
    AND listed_queries.query_id = ideal.query_id
    AND 10 >= ideal.position
    AND ideal.part = 'ideal';

-- One row is the value of a registered measure for a judged query of an
-- evaluation, whether the run answered the query or not. Join it with any table
-- that has query ids.
create table ndcg_sql.query_values using parquet as
SELECT
    'emitted' AS dataset,
    stored_values.run_id AS run,
    'judgments' AS judgment_set,
    stored_values.query_id,
    CAST('nDCG@10' AS STRING) AS measure,
    stored_values.value,
    stored_values.nothing_relevant,
    stored_values.run_id,
    CAST(1 AS BIGINT) AS judgment_set_id
FROM ndcg_sql.stored_values;

-- One row is the value of a registered measure for an evaluation: the mean over
-- its judged queries, or their sum or geometric mean if the measure is one.
-- Values are added in the order of query ids, so that the result is the same to
-- the last bit with any number of threads. judged_at_k is the mean share of
-- judged documents among the first k, where k is the cutoff of the measure, or
-- 10 if it has none.
create table ndcg_sql.stored_run_values using parquet as
WITH sums AS (
    SELECT
        stored_values.run_id,
        sum(stored_values.value) AS value_sum,
        count(stored_values.value) AS n,
        sum(CASE WHEN stored_values.nothing_relevant THEN 1 ELSE 0 END) AS no_relevant,
        CASE
            WHEN count(stored_values.value) > 1
            THEN stddev_samp(stored_values.value) / sqrt(count(stored_values.value))
        END AS standard_error
    FROM ndcg_sql.stored_values
    GROUP BY
        stored_values.run_id
), judged_hits AS (
    SELECT
        hits.run_id,
        least(CAST(10 AS DOUBLE), run_queries.retrieved) AS shown,
        count(*) AS judged
    FROM ndcg_sql.hits
    INNER JOIN ndcg_sql.run_queries
        ON hits.run_id = run_queries.run_id
        AND hits.query_id = run_queries.query_id
    WHERE
        hits.grade >= 0 AND hits.position <= 10
    GROUP BY
        hits.run_id,
        least(CAST(10 AS DOUBLE), run_queries.retrieved)
), judged_shares AS (
    SELECT
        judged_hits.run_id,
        sum(judged_hits.judged / judged_hits.shown) AS share_sum
    FROM judged_hits
    GROUP BY
        judged_hits.run_id
)
SELECT
    sums.run_id,
    sums.value_sum / nullif(sums.n, 0) AS value,
    sums.n,
    sums.no_relevant,
    coalesce(judged_shares.share_sum, 0) / (
        evaluations.answered + evaluations.unanswered
    ) AS judged_at_k,
    sums.standard_error
FROM sums
INNER JOIN ndcg_sql.evaluations
    ON sums.run_id = evaluations.run_id
LEFT JOIN judged_shares
    ON sums.run_id = judged_shares.run_id;

-- One row is the value of a registered measure for an evaluation: the mean over
-- the judged queries, or their sum or geometric mean if the measure is one,
-- with the counts that it is based on.
create table ndcg_sql.run_values using parquet as
SELECT
    'emitted' AS dataset,
    stored_run_values.run_id AS run,
    'judgments' AS judgment_set,
    CAST('nDCG@10' AS STRING) AS measure,
    stored_run_values.value,
    stored_run_values.n,
    evaluations.answered,
    evaluations.unanswered,
    stored_run_values.no_relevant,
    evaluations.unjudged_queries,
    stored_run_values.judged_at_k,
    stored_run_values.standard_error,
    stored_run_values.run_id,
    CAST(1 AS BIGINT) AS judgment_set_id
FROM ndcg_sql.stored_run_values
INNER JOIN ndcg_sql.evaluations
    ON stored_run_values.run_id = evaluations.run_id;
