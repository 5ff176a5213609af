-- Where judgment sets come from: other sets, or what several assessors said,
-- which is kept as they said it.
alter table judgment_sets add column policy varchar;

create table judgment_set_parents (
    judgment_set_id integer not null,
    parent_kind varchar not null,
    parent_id integer not null,
    parent_name varchar not null,
    content_hash varchar not null
);

comment on table judgment_set_parents is
'One row is a set that a judgment set was made of, even if it is gone by now.';

create sequence assessment_set_ids;

create table assessment_sets (
    assessment_set_id integer not null,
    dataset varchar not null,
    name varchar not null,
    source varchar not null,
    content_hash varchar not null,
    loaded_at timestamp not null,
    query_count bigint not null,
    assessment_count bigint not null
);

comment on table assessment_sets is
'One row is a file of what assessors said of the documents of a dataset.';

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
