-- The tables of a warehouse. Names are a contract: BI tools hold on to them.
-- Constraints stand here at once, because DuckDB cannot add a check later;
-- keys and indexes are left out, because they cost 3 to 4 times the load time.
-- No check calls a function: with a comment on its column, DuckDB 1.5 could not
-- replay its log after a kill. NaN sorts above infinity, so a range refuses it.

create sequence judgment_set_ids;

create sequence run_ids;

create table judgment_sets (
    judgment_set_id integer not null,
    dataset varchar not null,
    name varchar not null,
    source varchar not null,
    content_hash varchar not null,
    loaded_at timestamp not null,
    query_count bigint not null,
    judgment_count bigint not null
);

comment on table judgment_sets is
'One row is an immutable version of the judgments (qrels) of a dataset.';

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
    value varchar not null
);

comment on table run_tags is
'One row is a tag of a run, such as model = bm25.';

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
'One row is a position, from 1 to the deepest that any run has.';

create table queries (
    dataset varchar not null,
    query_id varchar not null,
    text varchar,
    weight double check (
        weight between 0 and 1.7976931348623157e308
    )
);

comment on table queries is
'One row is what is known of a query beside its id: its text, its weight.';

create table query_attributes (
    dataset varchar not null,
    query_id varchar not null,
    attribute varchar not null,
    value varchar not null
);

comment on table query_attributes is
'One row is an attribute of a query, such as device = mobile.';

create table evaluations (
    run_id integer not null,
    judgment_set_id integer not null,
    answered bigint not null,
    unanswered bigint not null,
    unjudged_queries bigint not null
);

comment on table evaluations is
'One row is a run with a judgment set that values it; their hits are kept.';

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
'One row is a returned document that has a judgment, also a negative one.';

create table stored_values (
    run_id integer not null,
    judgment_set_id integer not null,
    measure varchar not null,
    query_id varchar not null,
    value double,
    no_relevant boolean not null
);

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
'One row is the mean of a registered measure over the judged queries.';

create table measures (
    measure varchar not null,
    family varchar not null,
    cutoff double,
    dcg varchar,
    base double,
    gains varchar,
    ideal varchar,
    ties varchar,
    rel double,
    judged_only boolean,
    p double,
    t double,
    alpha double,
    beta double,
    min_rel double,
    max_rel double,
    relative boolean,
    normalize boolean,
    norm varchar,
    no_rel varchar,
    missing varchar
);

comment on table measures is
'One row is a registered measure with the parameters that it takes.';

create table gains (
    scheme varchar not null,
    grade double not null,
    gain double not null check (
        gain between -1.7976931348623157e308 and 1.7976931348623157e308
    )
);

comment on table gains is
'One row is what a grade is worth under a named gain scheme or a map of gains.';

-- What a new warehouse values, until the user decides otherwise.
insert into measures (
    measure, family, cutoff, dcg, base, ideal, rel, judged_only, no_rel, missing
)
values
('nDCG@10', 'nDCG', 10, 'log2', 2, 'judged', null, false, '0', '0'),
('AP', 'AP', null, null, null, null, 1, false, '0', '0'),
('RR', 'RR', null, null, null, null, 1, false, '0', '0'),
('R@100', 'R', 100, null, null, null, 1, false, '0', '0');
