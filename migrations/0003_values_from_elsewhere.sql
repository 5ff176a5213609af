-- What another engine found of runs whose rankings stay there. A warehouse
-- computes all values from it.

create table external_evaluations (
    run_id integer not null,
    judgment_set_id integer not null,
    engine varchar not null,
    dialect varchar not null,
    ndcg_sql_version varchar not null
);

comment on table external_evaluations is
'One row is a run that another engine evaluated, and whose rankings are there.';

create table external_run_queries (
    run_id integer not null,
    query_id varchar not null,
    retrieved bigint not null check (retrieved >= 1)
);

comment on table external_run_queries is
'One row is a query that such a run answered, as the other engine found.';

create table external_hits (
    run_id integer not null,
    judgment_set_id integer not null,
    query_id varchar not null,
    doc_id varchar not null,
    position integer not null check (position >= 1),
    tie_first integer not null,
    tie_last integer not null
);

comment on table external_hits is
'One row is a judged document that such a run returned, at its position.';
