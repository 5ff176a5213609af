-- nDCG@10
-- Results: ndcg_sql.query_values and ndcg_sql.run_values.
-- Remove all: drop database ndcg_sql

set join_use_nulls = 1;

set prefer_column_name_to_alias = 1;

select throwIf(count() > 0, 'rankings: a run, query id or document id is null, or a score is null or not a number; remove or repair these rows') as found
from (
    SELECT
        given_rankings.user_id AS user_id
    FROM results AS given_rankings
    WHERE
        given_rankings.system IS NULL
        OR given_rankings.user_id IS NULL
        OR given_rankings.item IS NULL
        OR given_rankings.score IS NULL
        OR CAST(given_rankings.score AS Nullable(Float64)) = CAST('NaN' AS Nullable(Float64))
        OR /* Some engines hold that NaN is not equal to itself. */ NOT (
            CAST(given_rankings.score AS Nullable(Float64)) <= CAST('inf' AS Nullable(Float64))
        )
) as bad;

select throwIf(count() > 0, 'rankings: a document is there twice for a run and query; keep one of its rows') as found
from (
    SELECT
        CAST(count(*) AS Nullable(Int64)) AS documents
    FROM results AS given_rankings
    GROUP BY
        given_rankings.system,
        CAST(given_rankings.user_id AS Nullable(String)),
        CAST(given_rankings.item AS Nullable(String))
    HAVING
        CAST(count(*) AS Nullable(Int64)) > 1
) as bad;

select throwIf(count() > 0, 'judgments: a query id, document id or grade is null, or a grade is not a finite number or above 1e300; remove or repair these rows') as found
from (
    SELECT
        given_judgments.user_id AS user_id
    FROM grades AS given_judgments
    WHERE
        given_judgments.user_id IS NULL
        OR given_judgments.item IS NULL
        OR given_judgments.grade IS NULL
        OR NOT (
            abs(CAST(given_judgments.grade AS Nullable(Float64))) <= 1e300
        )
        OR CAST(given_judgments.grade AS Nullable(Float64)) = CAST('NaN' AS Nullable(Float64))
) as bad;

select throwIf(count() > 0, 'judgments: a document is judged twice for a query; keep one of its rows') as found
from (
    SELECT
        CAST(count(*) AS Nullable(Int64)) AS documents
    FROM grades AS given_judgments
    GROUP BY
        CAST(given_judgments.user_id AS Nullable(String)),
        CAST(given_judgments.item AS Nullable(String))
    HAVING
        CAST(count(*) AS Nullable(Int64)) > 1
) as bad;

create database ndcg_sql;

-- The measures.
create table ndcg_sql.measures engine = MergeTree order by tuple() as
SELECT
    CAST('nDCG@10' AS Nullable(String)) AS measure,
    CAST('nDCG' AS Nullable(String)) AS family,
    CAST('mean' AS Nullable(String)) AS summary,
    CAST(2.0 AS Nullable(Float64)) AS base,
    CAST(10 AS Nullable(Float64)) AS cutoff,
    CAST('log2' AS Nullable(String)) AS dcg_kind,
    CAST(NULL AS Nullable(String)) AS gains,
    CAST('judged' AS Nullable(String)) AS ideal,
    CAST(FALSE AS Nullable(Bool)) AS judged_only,
    CAST('0' AS Nullable(String)) AS missing,
    CAST('0' AS Nullable(String)) AS no_rel,
    CAST(NULL AS Nullable(Float64)) AS rel,
    CAST(NULL AS Nullable(String)) AS tie_rule;

-- The maps of gains of measures.
create table ndcg_sql.gains engine = MergeTree order by tuple() as
SELECT
    '' AS gain_scheme,
    CAST(0 AS Nullable(Float64)) AS grade,
    CAST(0 AS Nullable(Float64)) AS gain
WHERE
    FALSE;

-- One row is a judged document of a query.
create table ndcg_sql.judgments engine = MergeTree order by tuple() as
SELECT
    CAST(1 AS Nullable(Int64)) AS judgment_set_id,
    CAST(given_judgments.user_id AS Nullable(String)) AS query_id,
    CAST(given_judgments.item AS Nullable(String)) AS doc_id,
    CAST(given_judgments.grade AS Nullable(Float64)) + 0 AS grade
FROM grades AS given_judgments;

-- One row is the judgment set: all rows of the table of judgments.
create table ndcg_sql.judgment_sets engine = MergeTree order by tuple() as
SELECT
    judgments.judgment_set_id AS judgment_set_id,
    'emitted' AS dataset,
    'judgments' AS name,
    CAST(count(DISTINCT judgments.query_id) AS Nullable(Int64)) AS query_count
FROM ndcg_sql.judgments
GROUP BY
    judgments.judgment_set_id;

-- One row is a document that a run returned for a query, at its position: in
-- descending order of scores; equal scores in descending order of document ids,
-- by bytes.
create table ndcg_sql.rankings engine = MergeTree order by tuple() as
WITH given AS (
    SELECT
        CAST(given_rankings.system AS Nullable(String)) AS run_id,
        CAST(given_rankings.user_id AS Nullable(String)) AS query_id,
        CAST(given_rankings.item AS Nullable(String)) AS doc_id,
        CAST(given_rankings.score AS Nullable(Float64)) /* A negative zero becomes a plain one. */ + 0 AS score
    FROM results AS given_rankings
)
SELECT
    given.run_id AS run_id,
    given.query_id AS query_id,
    given.doc_id AS doc_id,
    CAST(row_number() OVER (
        PARTITION BY given.run_id, given.query_id
        ORDER BY given.score DESC, given.doc_id DESC
    ) AS Nullable(Int64)) AS position,
    given.score AS score
FROM given;

-- One row is a query that a run answered, with the number of documents that it
-- returned.
create table ndcg_sql.run_queries engine = MergeTree order by tuple() as
SELECT
    rankings.run_id AS run_id,
    rankings.query_id AS query_id,
    CAST(count(*) AS Nullable(Int64)) AS retrieved
FROM ndcg_sql.rankings
GROUP BY
    rankings.run_id,
    rankings.query_id;

-- One row is a run, with the number of queries that it answered.
create table ndcg_sql.runs engine = MergeTree order by tuple() as
SELECT
    run_queries.run_id AS run_id,
    run_queries.run_id AS name,
    'emitted' AS dataset,
    'score' AS position_rule,
    CAST(count(*) AS Nullable(Int64)) AS query_count
FROM ndcg_sql.run_queries
GROUP BY
    run_queries.run_id;

-- One row is a registered measure of the gain family (CG, DCG, IDCG, nDCG, nCG,
-- ndcg_rel, Rndcg, G), with the scheme that turns grades into gains. A grade
-- below rel gains nothing; rel is 0 for a measure without rel, or 1 if its
-- gains are binary. depth is the last position that counts, and ideal_depth the
-- last one of the ideal ranking; without a cutoff, they are beyond all
-- positions. Here each measure has a ranking of its own, so that a query for
-- one measure computes no other. While values are stored, measures share
-- rankings (see store/shared_gain_measures).
create table ndcg_sql.gain_measures engine = MergeTree order by tuple() as
WITH spelled_out AS (
    SELECT
        measures.measure AS measure,
        measures.family AS family,
        measures.cutoff AS cutoff,
        measures.dcg_kind AS dcg_kind,
        coalesce(measures.base, 2) AS base, /* A measure that takes no base or ideal gets those of plain nDCG. */
        coalesce(measures.ideal, 'judged') AS ideal,
        measures.tie_rule AS tie_rule,
        measures.judged_only AS judged_only,
        CASE
            WHEN NOT (
                measures.gains IS NULL
            )
            THEN measures.gains
            WHEN measures.dcg_kind IN ('exp-log2', 'exp-jk')
            THEN 'exp'
            ELSE 'linear'
        END AS gain_scheme,
        coalesce(
            measures.rel,
            CASE WHEN measures.gains = 'binary' THEN 1 ELSE 0 END
        ) AS rel
    FROM ndcg_sql.measures
    WHERE
        NOT (
            measures.dcg_kind IS NULL
        )
)
SELECT
    spelled_out.measure AS measure,
    spelled_out.family AS family,
    spelled_out.cutoff AS cutoff,
    coalesce(spelled_out.cutoff, 1000000000) AS depth,
    coalesce(
        CASE
            WHEN spelled_out.ideal <> 'uncut'
            THEN spelled_out.cutoff
        END,
        1000000000
    ) AS ideal_depth,
    spelled_out.dcg_kind AS dcg_kind,
    spelled_out.base AS base,
    spelled_out.ideal AS ideal,
    spelled_out.tie_rule AS tie_rule,
    spelled_out.judged_only AS judged_only,
    spelled_out.gain_scheme AS gain_scheme,
    spelled_out.rel AS rel,
    spelled_out.measure AS list_measure,
    coalesce(spelled_out.cutoff, 1000000000) AS shallowest_depth
FROM spelled_out;

-- One row is a ranking as seen by the measures of the gain family that differ
-- only in their cutoffs. It ends at the depth of the deepest of them and has
-- the name of that measure. is_cut is true if another of them ends it at a
-- smaller depth.
create table ndcg_sql.gain_lists engine = MergeTree order by tuple() as
SELECT
    gain_measures.list_measure AS list_measure,
    gain_measures.depth AS depth,
    gain_measures.ideal_depth AS ideal_depth,
    gain_measures.dcg_kind AS dcg_kind,
    gain_measures.base AS base,
    gain_measures.ideal AS ideal,
    gain_measures.tie_rule AS tie_rule,
    gain_measures.judged_only AS judged_only,
    gain_measures.gain_scheme AS gain_scheme,
    gain_measures.rel AS rel,
    gain_measures.depth > gain_measures.shallowest_depth AS is_cut
FROM ndcg_sql.gain_measures
WHERE
    gain_measures.measure = gain_measures.list_measure;

-- One row is the gain of a grade of a judgment set under a gain scheme: linear
-- (the grade itself), exp (2^grade - 1; Burges et al. 2005), binary (1), or a
-- table of gains, where a grade that is not named keeps itself as its gain. A
-- grade below rel gains nothing. A negative grade means that the document was
-- not judged: it gains nothing. Gains may be infinite here; see grade_gains.
create table ndcg_sql.scheme_gains engine = MergeTree order by tuple() as
WITH grades AS (
    SELECT DISTINCT
        judgments.judgment_set_id AS judgment_set_id,
        judgments.grade AS grade
    FROM ndcg_sql.judgments
), schemes AS (
    SELECT DISTINCT
        gain_measures.gain_scheme AS gain_scheme,
        gain_measures.rel AS rel
    FROM ndcg_sql.gain_measures
)
SELECT
    grades.judgment_set_id AS judgment_set_id,
    grades.grade AS grade,
    schemes.gain_scheme AS gain_scheme,
    schemes.rel AS rel,
    CASE
        WHEN grades.grade < 0 OR grades.grade < schemes.rel
        THEN 0
        WHEN schemes.gain_scheme = 'linear'
        THEN grades.grade
        WHEN schemes.gain_scheme = 'exp'
        THEN power(2, grades.grade) - 1
        WHEN schemes.gain_scheme = 'binary'
        THEN 1
        ELSE coalesce(gains.gain, grades.grade)
    END AS gain
FROM grades
CROSS JOIN schemes
LEFT JOIN ndcg_sql.gains
    ON schemes.gain_scheme = gains.gain_scheme
    AND grades.grade = gains.grade;

-- One row is the gain of a grade of a judgment set under a gain scheme (see
-- scheme_gains). A gain that is too large to be summed is 0: no measure is
-- evaluated with it (see unfit_measures).
create table ndcg_sql.grade_gains engine = MergeTree order by tuple() as
SELECT
    scheme_gains.judgment_set_id AS judgment_set_id,
    scheme_gains.grade AS grade,
    scheme_gains.gain_scheme AS gain_scheme,
    scheme_gains.rel AS rel,
    CASE
        WHEN abs(scheme_gains.gain) > 1e300
        THEN 0
        ELSE scheme_gains.gain
    END AS gain
FROM ndcg_sql.scheme_gains;

-- One row is a judged document at its position in the ideal ranking of its
-- query: the documents with a gain above 0, in descending order of gain
-- (Järvelin & Kekäläinen 2002, ACM TOIS 20(4)). Equal gains are in descending
-- order of document ids; no value depends on that.
create table ndcg_sql.ideal_rankings engine = MergeTree order by tuple() as
SELECT
    judgment_sets.dataset AS dataset,
    judgment_sets.name AS judgment_set,
    judgments.judgment_set_id AS judgment_set_id,
    judgments.query_id AS query_id,
    grade_gains.gain_scheme AS gain_scheme,
    grade_gains.rel AS rel,
    CAST(row_number() OVER (
        PARTITION BY judgments.judgment_set_id, judgments.query_id, grade_gains.gain_scheme, grade_gains.rel
        ORDER BY grade_gains.gain DESC, judgments.doc_id DESC
    ) AS Nullable(Int64)) AS position,
    judgments.doc_id AS doc_id,
    judgments.grade AS grade,
    grade_gains.gain AS gain
FROM ndcg_sql.judgments
INNER JOIN ndcg_sql.grade_gains
    ON judgments.judgment_set_id = grade_gains.judgment_set_id
    AND judgments.grade = grade_gains.grade
INNER JOIN ndcg_sql.judgment_sets
    ON judgments.judgment_set_id = judgment_sets.judgment_set_id
WHERE
    grade_gains.gain > 0;

-- One row is a query that a judgment set judges. These rows, not the queries
-- that a run answered, decide which queries count in a mean.
create table ndcg_sql.judged_queries engine = MergeTree order by tuple() as
SELECT
    judgments.judgment_set_id AS judgment_set_id,
    judgments.query_id AS query_id,
    CAST(count(*) AS Nullable(Int64)) AS judged_documents
FROM ndcg_sql.judgments
GROUP BY
    judgments.judgment_set_id,
    judgments.query_id;

-- One row is a pair of a run and a judgment set of one dataset, with the number
-- of judged queries that the run answered, of judged queries that it did not
-- answer, and of unjudged queries that it answered.
create table ndcg_sql.evaluations engine = MergeTree order by tuple() as
WITH shared AS (
    SELECT
        run_queries.run_id AS run_id,
        judged_queries.judgment_set_id AS judgment_set_id,
        CAST(count(*) AS Nullable(Int64)) AS answered
    FROM ndcg_sql.run_queries
    INNER JOIN ndcg_sql.judged_queries
        ON run_queries.query_id = judged_queries.query_id
    GROUP BY
        run_queries.run_id,
        judged_queries.judgment_set_id
)
SELECT
    runs.run_id AS run_id,
    judgment_sets.judgment_set_id AS judgment_set_id,
    coalesce(shared.answered, 0) AS answered,
    judgment_sets.query_count - coalesce(shared.answered, 0) AS unanswered,
    runs.query_count - coalesce(shared.answered, 0) AS unjudged_queries
FROM ndcg_sql.runs
INNER JOIN ndcg_sql.judgment_sets
    ON runs.dataset = judgment_sets.dataset
LEFT JOIN shared
    ON runs.run_id = shared.run_id
    AND judgment_sets.judgment_set_id = shared.judgment_set_id;

-- One row is a judged query of an evaluation, whether the run answered it or
-- not. retrieved is the number of documents that the run returned for it, or 0.
create table ndcg_sql.evaluated_queries engine = MergeTree order by tuple() as
SELECT
    evaluations.run_id AS run_id,
    runs.name AS run,
    evaluations.judgment_set_id AS judgment_set_id,
    judged_queries.query_id AS query_id,
    coalesce(run_queries.retrieved, 0) AS retrieved
FROM ndcg_sql.evaluations
INNER JOIN ndcg_sql.runs
    ON evaluations.run_id = runs.run_id
INNER JOIN ndcg_sql.judged_queries
    ON evaluations.judgment_set_id = judged_queries.judgment_set_id
LEFT JOIN ndcg_sql.run_queries
    ON evaluations.run_id = run_queries.run_id
    AND judged_queries.query_id = run_queries.query_id;

-- One row is a hit: a document that a run returned and that has a judgment in a
-- judgment set of the same dataset (a negative grade too), at its position in
-- the run. tie_first and tie_last are the first and the last position of the
-- documents that are tied under the position rule of the run: those with the
-- same score, or with the same score as a single float. If positions were
-- given, nothing is tied.
create table ndcg_sql.hits engine = MergeTree order by tuple() as
WITH scored AS (
    SELECT
        rankings.run_id AS run_id,
        runs.dataset AS dataset,
        rankings.query_id AS query_id,
        rankings.doc_id AS doc_id,
        rankings.position AS position,
        CASE WHEN runs.position_rule = 'score' THEN rankings.score END AS score
    FROM ndcg_sql.rankings
    INNER JOIN ndcg_sql.runs
        ON rankings.run_id = runs.run_id
), found AS (
    SELECT
        scored.run_id AS run_id,
        judgments.judgment_set_id AS judgment_set_id,
        scored.query_id AS query_id,
        scored.doc_id AS doc_id,
        scored.position AS position,
        scored.score AS score,
        judgments.grade AS grade
    FROM scored
    INNER JOIN ndcg_sql.judgment_sets
        ON scored.dataset = judgment_sets.dataset
    INNER JOIN ndcg_sql.judgments
        ON judgment_sets.judgment_set_id = judgments.judgment_set_id
        AND scored.query_id = judgments.query_id
        AND scored.doc_id = judgments.doc_id
)
SELECT
    found.run_id AS run_id,
    found.judgment_set_id AS judgment_set_id,
    found.query_id AS query_id,
    found.doc_id AS doc_id,
    found.position AS position,
    found.grade AS grade
FROM found;

-- One row is a hit in a ranking that some measure looks at: the ranking that
-- the run returned, or (judged_only) the ranking that is left when unjudged
-- documents are removed and positions close up.
create table ndcg_sql.listed_hits engine = MergeTree order by tuple() as
SELECT
    hits.run_id AS run_id,
    runs.name AS run,
    hits.judgment_set_id AS judgment_set_id,
    hits.query_id AS query_id,
    hits.doc_id AS doc_id,
    FALSE AS judged_only,
    hits.position AS position,
    hits.grade AS grade
FROM ndcg_sql.hits
INNER JOIN ndcg_sql.runs
    ON hits.run_id = runs.run_id;

-- One row is a judged query of an evaluation with a ranking that some measure
-- looks at (see listed_hits). listed is the length of that ranking; retrieved
-- is the length of the ranking that the run returned, or 0 if it did not
-- answer.
create table ndcg_sql.listed_queries engine = MergeTree order by tuple() as
WITH condensed AS (
    SELECT
        listed_hits.run_id AS run_id,
        listed_hits.run AS run,
        listed_hits.judgment_set_id AS judgment_set_id,
        listed_hits.query_id AS query_id,
        listed_hits.judged_only AS judged_only,
        CAST(count(*) AS Nullable(Int64)) AS listed
    FROM ndcg_sql.listed_hits
    WHERE
        listed_hits.judged_only
    GROUP BY
        listed_hits.run_id,
        listed_hits.run,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        listed_hits.judged_only
), lists AS (
    SELECT DISTINCT
        coalesce(measures.judged_only, FALSE) AS judged_only
    FROM ndcg_sql.measures
)
SELECT
    evaluated_queries.run_id AS run_id,
    evaluated_queries.run AS run,
    evaluated_queries.judgment_set_id AS judgment_set_id,
    evaluated_queries.query_id AS query_id,
    lists.judged_only AS judged_only,
    evaluated_queries.retrieved AS retrieved,
    CASE
        WHEN lists.judged_only
        THEN coalesce(condensed.listed, 0)
        ELSE evaluated_queries.retrieved
    END AS listed
FROM ndcg_sql.evaluated_queries
CROSS JOIN lists
LEFT JOIN condensed
    ON evaluated_queries.run_id = condensed.run_id
    AND evaluated_queries.run = condensed.run
    AND evaluated_queries.judgment_set_id = condensed.judgment_set_id
    AND evaluated_queries.query_id = condensed.query_id
    AND lists.judged_only = condensed.judged_only;

-- One row is a judged document in a run's ranking, within the depth of a
-- measure of the gain family (see gain_lists), with its gain. Measures that
-- share gains among ties (ties='mean') use tied_gains instead.
create table ndcg_sql.run_gains engine = MergeTree order by tuple() as
SELECT
    listed_hits.run_id AS run_id,
    listed_hits.run AS run,
    listed_hits.judgment_set_id AS judgment_set_id,
    listed_hits.query_id AS query_id,
    gain_lists.list_measure AS list_measure,
    listed_hits.position AS position,
    listed_hits.doc_id AS doc_id,
    grade_gains.gain AS gain
FROM ndcg_sql.listed_hits
INNER JOIN ndcg_sql.gain_lists
    ON listed_hits.judged_only = gain_lists.judged_only
    AND listed_hits.position <= gain_lists.depth
INNER JOIN ndcg_sql.grade_gains
    ON listed_hits.judgment_set_id = grade_gains.judgment_set_id
    AND listed_hits.grade = grade_gains.grade
    AND gain_lists.gain_scheme = grade_gains.gain_scheme
    AND gain_lists.rel = grade_gains.rel
WHERE
    gain_lists.tie_rule IS NULL;

-- One row is a document in a ranking of the gain family (see gain_lists). part
-- is 'run' for the judged documents that the run returned, 'ideal' for the
-- documents of the ideal ranking, and 'unjudged' for the returned documents
-- that gain nothing because they are unjudged (only ndcg_steps shows these).
-- discount is that of the position: log_base(position + 1), or for the kinds
-- 'jk' and 'exp-jk' 1 before position base and log_base(position) from there on
-- (Järvelin & Kekäläinen 2002).
create table ndcg_sql.discounted_gains engine = MergeTree order by tuple() as
WITH parts AS (
    SELECT
        run_gains.run_id AS run_id,
        run_gains.run AS run,
        run_gains.judgment_set_id AS judgment_set_id,
        run_gains.query_id AS query_id,
        run_gains.list_measure AS list_measure,
        'run' AS part,
        run_gains.position AS position,
        run_gains.doc_id AS doc_id,
        run_gains.gain AS gain
    FROM ndcg_sql.run_gains
    UNION ALL
    SELECT
        listed_queries.run_id AS run_id,
        listed_queries.run AS run,
        listed_queries.judgment_set_id AS judgment_set_id,
        listed_queries.query_id AS query_id,
        gain_lists.list_measure AS list_measure,
        'ideal' AS part,
        CAST(ideal_rankings.position AS Nullable(Int32)) AS position,
        ideal_rankings.doc_id AS doc_id,
        ideal_rankings.gain AS gain
    FROM ndcg_sql.listed_queries
    INNER JOIN ndcg_sql.ideal_rankings
        ON listed_queries.judgment_set_id = ideal_rankings.judgment_set_id
        AND listed_queries.query_id = ideal_rankings.query_id
    INNER JOIN ndcg_sql.gain_lists
        ON listed_queries.judged_only = gain_lists.judged_only
        AND ideal_rankings.gain_scheme = gain_lists.gain_scheme
        AND ideal_rankings.rel = gain_lists.rel
    WHERE
        gain_lists.ideal IN ('judged', 'returned', 'uncut')
        AND ideal_rankings.position <= gain_lists.ideal_depth
        AND (
            gain_lists.ideal <> 'returned'
            OR ideal_rankings.position <= listed_queries.listed
        )
)
SELECT
    parts.run_id AS run_id,
    parts.run AS run,
    parts.judgment_set_id AS judgment_set_id,
    parts.query_id AS query_id,
    parts.list_measure AS list_measure,
    parts.part AS part,
    parts.position AS position,
    parts.doc_id AS doc_id,
    parts.gain AS gain,
    CASE
        WHEN gain_lists.dcg_kind IN ('log2', 'exp-log2')
        THEN CASE
            WHEN gain_lists.base = 2
            THEN log2(parts.position + 1)
            ELSE ln(parts.position + 1) / ln(gain_lists.base)
        END
        WHEN parts.position < gain_lists.base
        THEN 1
        WHEN gain_lists.base = 2
        THEN log2(parts.position)
        ELSE ln(parts.position) / ln(gain_lists.base)
    END AS discount,
    gain_lists.is_cut AS is_cut
FROM parts
INNER JOIN ndcg_sql.gain_lists
    ON parts.list_measure = gain_lists.list_measure;

-- One row is a ranking of the gain family (see discounted_gains), or the upper
-- part of one that ends at the cutoff of another measure: the sums of its gains
-- down to position, plain and discounted. Terms are added in the order of
-- positions, so that the last bits are those of a sequential sum. All cutoffs
-- from position to last_depth have the same sums.
create table ndcg_sql.gain_prefixes engine = MergeTree order by tuple() as
SELECT
    discounted_gains.run_id AS run_id,
    discounted_gains.run AS run,
    discounted_gains.judgment_set_id AS judgment_set_id,
    discounted_gains.query_id AS query_id,
    discounted_gains.list_measure AS list_measure,
    discounted_gains.part AS part,
    max(discounted_gains.position) AS position,
    1000000000 AS last_depth,
    sum(discounted_gains.gain) AS cg,
    sum(discounted_gains.gain / discounted_gains.discount) AS dcg
FROM ndcg_sql.discounted_gains
WHERE
    discounted_gains.part IN ('run', 'ideal')
GROUP BY
    discounted_gains.run_id,
    discounted_gains.run,
    discounted_gains.judgment_set_id,
    discounted_gains.query_id,
    discounted_gains.list_measure,
    discounted_gains.part;

-- One row is a judged query of an evaluation under a measure of the gain
-- family: the sums of the gains of the run and of the ideal ranking, plain and
-- discounted.
create table ndcg_sql.gain_sums engine = MergeTree order by tuple() as
SELECT
    listed_queries.run_id AS run_id,
    listed_queries.run AS run,
    listed_queries.judgment_set_id AS judgment_set_id,
    listed_queries.query_id AS query_id,
    gain_measures.measure AS measure,
    gain_measures.family AS family,
    listed_queries.retrieved AS retrieved,
    coalesce(actual.cg, 0) AS cg,
    coalesce(actual.dcg, 0) AS dcg,
    coalesce(ideal.cg, 0) AS ideal_cg,
    coalesce(ideal.dcg, 0) AS ideal_dcg
FROM ndcg_sql.listed_queries
INNER JOIN ndcg_sql.gain_measures
    ON listed_queries.judged_only = gain_measures.judged_only
LEFT JOIN ndcg_sql.gain_prefixes AS actual
    ON listed_queries.run_id = actual.run_id
    AND listed_queries.run = actual.run
    AND listed_queries.judgment_set_id = actual.judgment_set_id
    AND listed_queries.query_id = actual.query_id
    AND gain_measures.list_measure = actual.list_measure
    AND gain_measures.depth >= actual.position
    AND gain_measures.depth <= actual.last_depth
    AND actual.part = 'run'
LEFT JOIN ndcg_sql.gain_prefixes AS ideal
    ON listed_queries.run_id = ideal.run_id
    AND listed_queries.run = ideal.run
    AND listed_queries.judgment_set_id = ideal.judgment_set_id
    AND listed_queries.query_id = ideal.query_id
    AND gain_measures.list_measure = ideal.list_measure
    AND gain_measures.ideal_depth >= ideal.position
    AND gain_measures.ideal_depth <= ideal.last_depth
    AND ideal.part = 'ideal';

-- nDCG@k, normalized discounted cumulated gain: the DCG of the run's ranking
-- divided by that of the ideal ranking (Järvelin & Kekäläinen 2002, ACM TOIS
-- 20(4)).
create table ndcg_sql.ndcg engine = MergeTree order by tuple() as
SELECT
    gain_sums.run_id AS run_id,
    gain_sums.judgment_set_id AS judgment_set_id,
    gain_sums.query_id AS query_id,
    gain_sums.measure AS measure,
    gain_sums.retrieved AS retrieved,
    CAST(CASE
        WHEN gain_sums.ideal_dcg > 0
        THEN gain_sums.dcg / gain_sums.ideal_dcg
        ELSE 0
    END AS Nullable(Float64)) AS value,
    gain_sums.ideal_dcg <= 0 AS nothing_relevant
FROM ndcg_sql.gain_sums
WHERE
    gain_sums.family = 'nDCG';

-- One row is the value of a measure for a judged query.
create table ndcg_sql.family_values engine = MergeTree order by tuple() as
SELECT
    run_id AS run_id,
    judgment_set_id AS judgment_set_id,
    query_id AS query_id,
    measure AS measure,
    retrieved AS retrieved,
    CAST(value AS Nullable(Float64)) AS value,
    nothing_relevant AS nothing_relevant
FROM ndcg_sql.ndcg;

-- One row is the value of a registered measure for a judged query of an
-- evaluation, if the measure fits the judgment set (see fitting_measures). An
-- unanswered query has the value of an empty ranking, which is 0 for most
-- families, and a query with nothing relevant has the value 0, unless the
-- options missing and no_rel of the measure decide otherwise. If they omit the
-- query, the value is null.
create table ndcg_sql.stored_values engine = MergeTree order by tuple() as
SELECT
    family_values.run_id AS run_id,
    family_values.judgment_set_id AS judgment_set_id,
    family_values.measure AS measure,
    family_values.query_id AS query_id,
    CAST(CASE
        WHEN family_values.retrieved = 0 AND measures.missing = 'omit'
        THEN NULL
        WHEN NOT family_values.nothing_relevant
        THEN family_values.value
        WHEN measures.no_rel = 'omit'
        THEN NULL
        WHEN measures.no_rel = '1'
        THEN 1
        ELSE 0
    END AS Nullable(Float64)) AS value,
    family_values.nothing_relevant AS nothing_relevant
FROM ndcg_sql.family_values
INNER JOIN ndcg_sql.measures
    ON family_values.measure = measures.measure;

-- One row is the value of a registered measure for a judged query of an
-- evaluation, whether the run answered the query or not. Join it with any table
-- that has query ids.
create table ndcg_sql.query_values engine = MergeTree order by tuple() as
SELECT
    runs.dataset AS dataset,
    runs.name AS run,
    judgment_sets.name AS judgment_set,
    stored_values.run_id AS run_id,
    stored_values.judgment_set_id AS judgment_set_id,
    stored_values.query_id AS query_id,
    stored_values.measure AS measure,
    CAST(stored_values.value AS Nullable(Float64)) AS value,
    stored_values.nothing_relevant AS nothing_relevant
FROM ndcg_sql.stored_values
INNER JOIN ndcg_sql.runs
    ON stored_values.run_id = runs.run_id
INNER JOIN ndcg_sql.judgment_sets
    ON stored_values.judgment_set_id = judgment_sets.judgment_set_id;

-- One row is the value of a registered measure for a judged query, with the
-- summand that the value of a run is computed from: the value itself if that is
-- a mean or a sum, its logarithm if it is a geometric mean. Both are null if
-- the measure omits the query.
create table ndcg_sql.summands engine = MergeTree order by tuple() as
SELECT
    stored_values.run_id AS run_id,
    runs.name AS run,
    stored_values.judgment_set_id AS judgment_set_id,
    stored_values.query_id AS query_id,
    stored_values.measure AS measure,
    measures.summary AS summary,
    CAST(stored_values.value AS Nullable(Float64)) AS value,
    CASE
        WHEN measures.summary <> 'geometric'
        THEN stored_values.value
        WHEN stored_values.value <= 0.00001
        THEN ln(0.00001)
        ELSE ln(stored_values.value)
    END AS summand,
    stored_values.nothing_relevant AS nothing_relevant
FROM ndcg_sql.stored_values
INNER JOIN ndcg_sql.runs
    ON stored_values.run_id = runs.run_id
INNER JOIN ndcg_sql.measures
    ON stored_values.measure = measures.measure;

-- One row is the value of a registered measure for an evaluation: the mean over
-- its judged queries, or their sum or geometric mean if the measure is one.
-- Values are added in the order of query ids, so that the result is the same to
-- the last bit with any number of threads. judged_at_k is the mean share of
-- judged documents among the first k, where k is the cutoff of the measure, or
-- 10 if it has none.
create table ndcg_sql.stored_run_values engine = MergeTree order by tuple() as
WITH sums AS (
    SELECT
        summands.run_id AS run_id,
        summands.judgment_set_id AS judgment_set_id,
        summands.measure AS measure,
        summands.summary AS summary,
        sum(summands.summand) AS value_sum,
        CAST(count(summands.value) AS Nullable(Int64)) AS n,
        sum(CASE WHEN summands.nothing_relevant THEN 1 ELSE 0 END) AS no_relevant,
        CASE
            WHEN CAST(count(summands.value) AS Nullable(Int64)) > 1
            AND summands.summary = 'mean'
            THEN stddev_samp(summands.value) / sqrt(CAST(count(summands.value) AS Nullable(Int64)))
        END AS standard_error
    FROM ndcg_sql.summands
    GROUP BY
        summands.run_id,
        summands.judgment_set_id,
        summands.measure,
        summands.summary
), depths AS (
    SELECT DISTINCT
        coalesce(measures.cutoff, 10) AS depth
    FROM ndcg_sql.measures
), judged_hits /* Judged hits are counted together for all queries that show the same number of */ /* documents: a sum of whole numbers is the same in any order. */ AS (
    SELECT
        hits.run_id AS run_id,
        hits.judgment_set_id AS judgment_set_id,
        depths.depth AS depth,
        least(
            CAST(depths.depth AS Nullable(Float64)),
            CAST(run_queries.retrieved AS Nullable(Float64))
        ) AS shown,
        CAST(count(*) AS Nullable(Int64)) AS judged
    FROM ndcg_sql.hits
    INNER JOIN depths
        ON hits.position <= depths.depth
    INNER JOIN ndcg_sql.run_queries
        ON hits.run_id = run_queries.run_id
        AND hits.query_id = run_queries.query_id
    WHERE
        hits.grade >= 0
    GROUP BY
        hits.run_id,
        hits.judgment_set_id,
        depths.depth,
        least(
            CAST(depths.depth AS Nullable(Float64)),
            CAST(run_queries.retrieved AS Nullable(Float64))
        )
), judged_shares AS (
    SELECT
        judged_hits.run_id AS run_id,
        judged_hits.judgment_set_id AS judgment_set_id,
        judged_hits.depth AS depth,
        sum(judged_hits.judged / judged_hits.shown) AS share_sum
    FROM judged_hits
    GROUP BY
        judged_hits.run_id,
        judged_hits.judgment_set_id,
        judged_hits.depth
)
SELECT
    sums.run_id AS run_id,
    sums.judgment_set_id AS judgment_set_id,
    sums.measure AS measure,
    CAST(CASE sums.summary
        WHEN 'sum'
        THEN sums.value_sum
        WHEN 'geometric'
        THEN exp(sums.value_sum / nullif(sums.n, 0))
        ELSE sums.value_sum / nullif(sums.n, 0)
    END AS Nullable(Float64)) AS value,
    sums.n AS n,
    sums.no_relevant AS no_relevant,
    coalesce(judged_shares.share_sum, 0) / (
        evaluations.answered + evaluations.unanswered
    ) AS judged_at_k,
    sums.standard_error AS standard_error
FROM sums
INNER JOIN ndcg_sql.evaluations
    ON sums.run_id = evaluations.run_id
    AND sums.judgment_set_id = evaluations.judgment_set_id
INNER JOIN ndcg_sql.measures
    ON sums.measure = measures.measure
LEFT JOIN judged_shares
    ON sums.run_id = judged_shares.run_id
    AND sums.judgment_set_id = judged_shares.judgment_set_id
    AND coalesce(measures.cutoff, 10) = judged_shares.depth;

-- One row is the value of a registered measure for an evaluation: the mean over
-- the judged queries, or their sum or geometric mean if the measure is one,
-- with the counts that it is based on.
create table ndcg_sql.run_values engine = MergeTree order by tuple() as
SELECT
    runs.dataset AS dataset,
    runs.name AS run,
    judgment_sets.name AS judgment_set,
    stored_run_values.run_id AS run_id,
    stored_run_values.judgment_set_id AS judgment_set_id,
    stored_run_values.measure AS measure,
    CAST(stored_run_values.value AS Nullable(Float64)) AS value,
    stored_run_values.n AS n,
    evaluations.answered AS answered,
    evaluations.unanswered AS unanswered,
    stored_run_values.no_relevant AS no_relevant,
    evaluations.unjudged_queries AS unjudged_queries,
    stored_run_values.judged_at_k AS judged_at_k,
    stored_run_values.standard_error AS standard_error
FROM ndcg_sql.stored_run_values
INNER JOIN ndcg_sql.evaluations
    ON stored_run_values.run_id = evaluations.run_id
    AND stored_run_values.judgment_set_id = evaluations.judgment_set_id
INNER JOIN ndcg_sql.runs
    ON stored_run_values.run_id = runs.run_id
INNER JOIN ndcg_sql.judgment_sets
    ON stored_run_values.judgment_set_id = judgment_sets.judgment_set_id;
