-- The tables of a warehouse, all in the schema store; the public views in the
-- schema main show their content.
-- All constraints are here, because DuckDB cannot add a check later. There are
-- no keys or indexes: with them, loading takes 3 to 4 times as long.
-- No check calls a function: if its column has a comment, DuckDB 1.5 cannot
-- replay its log after a kill. NaN sorts above infinity, so a range refuses it.

create sequence judgment_set_ids;

create sequence run_ids;

create sequence assessment_set_ids;

create table judgment_sets (
    judgment_set_id integer not null,
    dataset varchar not null,
    name varchar not null,
    source varchar not null,
    content_hash varchar not null,
    loaded_at timestamp not null,
    query_count bigint not null,
    judgment_count bigint not null,
    policy varchar
);

comment on table judgment_sets is
'One row is an immutable version of the judgments (qrels) of a dataset.';

create table judgment_set_parents (
    judgment_set_id integer not null,
    parent_kind varchar not null,
    parent_id integer not null,
    parent_name varchar not null,
    content_hash varchar not null
);

comment on table judgment_set_parents is
'One row is a set that a judgment set was built from, even one removed since.';

create table judgments (
    judgment_set_id integer not null,
    query_id varchar not null,
    doc_id varchar not null,
    grade double not null check (
        grade between -1.7976931348623157e308 and 1.7976931348623157e308
    ),
    label varchar
);

comment on table judgments is
'One row is a judged document of a query in a judgment set.';

-- The table judgments has the largest grade of each document, which every measure
-- reads that knows no subtopics.
create table subtopic_judgments (
    judgment_set_id integer not null,
    query_id varchar not null,
    subtopic varchar not null,
    doc_id varchar not null,
    grade double not null check (
        grade between -1.7976931348623157e308 and 1.7976931348623157e308
    ),
    label varchar
);

comment on table subtopic_judgments is
'One row is a document judged for a subtopic of a query in a judgment set.';

create table click_logs (
    judgment_set_id integer not null,
    min_impressions integer not null,
    impressions bigint not null,
    actions bigint not null,
    first_at timestamp,
    last_at timestamp
);

comment on table click_logs is
'One row is the log of a judgment set made of clicks, and what it counts.';

create table click_bands (
    judgment_set_id integer not null,
    least_impressions bigint not null,
    shown_documents bigint not null,
    graded_documents bigint not null,
    clicks double not null
);

comment on table click_bands is
'One row are the documents of queries that were shown about as often: from the
least impressions of the band to those of the next one, which are 1, 2, 5, 10 ...';

create table click_positions (
    judgment_set_id integer not null,
    position integer not null,
    impressions bigint not null,
    clicks double not null,
    best_documents bigint not null,
    unclicked_documents bigint not null
);

comment on table click_positions is
'One row is a position at which a log shows documents. The judged documents of
queries that never stood higher are its best documents.';

create table assessment_sets (
    assessment_set_id integer not null,
    dataset varchar not null,
    name varchar not null,
    source varchar not null,
    content_hash varchar not null,
    loaded_at timestamp not null,
    query_count bigint not null,
    assessment_count bigint not null,
    assessor_kind varchar,
    model varchar,
    prompt varchar,
    judging_cost double,
    judging_seconds double
);

comment on table assessment_sets is
'One row is a loaded set of assessments of the documents of a dataset.';

create table assessments (
    assessment_set_id integer not null,
    query_id varchar not null,
    doc_id varchar not null,
    assessor varchar not null,
    assessed_at timestamp,
    grade double not null check (
        grade between -1.7976931348623157e308 and 1.7976931348623157e308
    ),
    label varchar
);

comment on table assessments is
'One row is the grade that an assessor gave a document of a query.';

create table runs (
    run_id integer not null,
    dataset varchar not null,
    name varchar not null,
    position_rule varchar not null check (
        position_rule in ('score', 'score32', 'given')
    ),
    source varchar not null,
    content_hash varchar not null,
    run_at timestamp,
    loaded_at timestamp not null,
    query_count bigint not null,
    document_count bigint not null
);

comment on table runs is
'One row is an immutable ranking by one system at one time.';

create table run_tags (
    run_id integer not null,
    tag varchar not null,
    tag_value varchar not null
);

comment on table run_tags is
'One row is a tag of a run with its value, such as model = bm25.';

create table rankings (
    run_id integer not null,
    query_id varchar not null,
    doc_id varchar not null,
    position integer not null check (position >= 1),
    score double check (score <= 'inf'::double)
);

comment on table rankings is
'One row is a document that a run returned for a query, at its position.';

create table positions (
    position integer not null
);

comment on table positions is
'One row is a position, from 1 to the deepest of any run or measure.';

create table queries (
    dataset varchar not null,
    query_id varchar not null,
    text varchar,
    weight double check (
        weight between 0 and 1.7976931348623157e308
    )
);

comment on table queries is
'One row is a query with its text and weight, as far as they are known.';

create table documents (
    dataset varchar not null,
    doc_id varchar not null,
    title varchar,
    url varchar
);

comment on table documents is
'One row is a document with its title and address, as far as they are known.';

create table document_attributes (
    dataset varchar not null,
    doc_id varchar not null,
    attribute varchar not null,
    attribute_value varchar not null
);

comment on table document_attributes is
'One row is the value of an attribute of a document, such as category = tents.';

create table query_attributes (
    dataset varchar not null,
    query_id varchar not null,
    attribute varchar not null,
    attribute_value varchar not null
);

comment on table query_attributes is
'One row is the value of an attribute of a query, such as device = mobile.';

create table known_documents (
    dataset varchar not null,
    query_id varchar not null,
    doc_id varchar not null,
    known_count bigint not null check (known_count >= 1),
    known_at timestamp
);

comment on table known_documents is
'One row is a document that a query of a dataset knows already.';

create table evaluations (
    run_id integer not null,
    judgment_set_id integer not null,
    answered bigint not null,
    unanswered bigint not null,
    unjudged_queries bigint not null
);

comment on table evaluations is
'One row is an evaluation: a run and a judgment set whose hits are stored.';

create table run_queries (
    run_id integer not null,
    query_id varchar not null,
    retrieved bigint not null
);

comment on table run_queries is
'One row is a query that a run answered.';

create table hits (
    run_id integer not null,
    judgment_set_id integer not null,
    query_id varchar not null,
    doc_id varchar not null,
    position integer not null,
    grade double not null,
    tie_first integer not null,
    tie_last integer not null
);

comment on table hits is
'One row is a returned document with a judgment, including a negative one.';

create table stored_values (
    run_id integer not null,
    judgment_set_id integer not null,
    measure varchar not null,
    query_id varchar not null,
    value double,
    total double,
    ideal_total double,
    nothing_relevant boolean not null
);

create table ideal_sums (
    judgment_set_id integer not null,
    measure varchar not null,
    query_id varchar not null,
    total double
);

comment on table ideal_sums is
'One row is the sum of the terms of an ideal list that all runs share.';

comment on table stored_values is
'One row is the value of a registered measure for a judged query.';

create table stored_run_values (
    run_id integer not null,
    judgment_set_id integer not null,
    measure varchar not null,
    value double,
    n bigint not null,
    no_relevant bigint not null,
    judged_at_k double,
    standard_error double
);

comment on table stored_run_values is
'One row is the value of a registered measure over the judged queries.';

create table stored_weighted_values (
    run_id integer not null,
    judgment_set_id integer not null,
    measure varchar not null,
    weighted_value double,
    weighted_n bigint not null
);

comment on table stored_weighted_values is
'One row is the weighted mean of a registered measure over the judged queries.';

-- Answers without documents have no rows among rankings.
create table empty_answers (
    run_id integer not null,
    query_id varchar not null
);

comment on table empty_answers is
'One row is a query that a run answered without documents.';

-- What another program computed stands for itself: a warehouse cannot compute it.
create table loaded_values (
    run_id integer not null,
    query_id varchar not null,
    measure varchar not null,
    value double not null check (
        value between -1.7976931348623157e308 and 1.7976931348623157e308
    ),
    judgment_set_id integer
);

comment on table loaded_values is
'One row is the value that another program computed of a query of a run: with a
judgment set, if it is of a measure that rests on judgments.';

create table measures (
    measure varchar not null,
    trec_eval_name varchar,
    family varchar not null,
    summary varchar not null,
    cutoff double,
    level double,
    dcg_kind varchar,
    base double,
    gains varchar,
    ideal varchar,
    tie_rule varchar,
    rel double,
    judged_only boolean,
    p double,
    t double,
    alpha double,
    beta double,
    min_rel double,
    max_rel double,
    a double,
    b double,
    c double,
    d double,
    docs double,
    relative boolean,
    normalize boolean,
    norm varchar,
    rounding double,
    no_rel varchar,
    missing varchar,
    known varchar default 'keep',
    tail double,
    by_attribute varchar,
    higher_is_better boolean,
    reads_judgments boolean,
    lower_is_better boolean default false,
    origin varchar
);

comment on table measures is
'One row is a registered measure with its parameters.';

create table measure_names (
    measure varchar not null,
    measure_name varchar not null
);

comment on table measure_names is
'One row is a name of a registered measure.';

create table measure_datasets (
    measure varchar not null,
    dataset varchar not null
);

comment on table measure_datasets is
'One row is a dataset of a measure that is registered for some datasets only.';

create table misfits (
    judgment_set_id integer not null,
    measure varchar not null,
    fault varchar not null,
    grades double[] not null
);

comment on table misfits is
'One row is what a registered measure cannot use of a judgment set that it is meant for.';

create table gains (
    gain_scheme varchar not null,
    grade double not null,
    gain double not null check (
        gain between -1.7976931348623157e308 and 1.7976931348623157e308
    )
);

comment on table gains is
'One row is the gain of a grade under a named gain scheme or a map of gains.';

-- The measures of a new warehouse; the user can change them later.
insert into measures (
    measure,
    trec_eval_name,
    family,
    summary,
    cutoff,
    dcg_kind,
    base,
    ideal,
    rel,
    judged_only,
    no_rel,
    missing,
    higher_is_better,
    reads_judgments
)
values
(
    'nDCG@10', 'ndcg_cut_10', 'nDCG', 'mean', 10,
    'log2', 2, 'judged', null, false, '0', '0', true, true
),
(
    'AP', 'map', 'AP', 'mean', null,
    null, null, null, 1, false, '0', '0', true, true
),
(
    'RR', 'recip_rank', 'RR', 'mean', null,
    null, null, null, 1, false, '0', '0', true, true
),
(
    'R@100', 'recall_100', 'R', 'mean', 100,
    null, null, null, 1, false, '0', '0', true, true
);

insert into measure_names (measure, measure_name)
values
('nDCG@10', 'nDCG@10'),
('nDCG@10', 'NDCG@10'),
('nDCG@10', 'ndcg@10'),
('nDCG@10', 'ndcg_cut_10'),
('AP', 'AP'),
('AP', 'MAP'),
('AP', 'ap'),
('AP', 'map'),
('RR', 'RR'),
('RR', 'MRR'),
('RR', 'rr'),
('RR', 'mrr'),
('RR', 'recip_rank'),
('R@100', 'R@100'),
('R@100', 'Recall@100'),
('R@100', 'r@100'),
('R@100', 'recall@100'),
('R@100', 'recall_100');
