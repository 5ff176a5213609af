-- What the query of a recommender, a user, knows already: what they bought,
-- watched, or were trained on. Measures with known='omit' take it out.

create table known_documents (
    dataset varchar not null,
    query_id varchar not null,
    doc_id varchar not null,
    known_count bigint not null check (known_count >= 1),
    known_at timestamp
);

comment on table known_documents is
'One row is a document that a query of a dataset knows already.';

alter table measures add column known varchar default 'keep';
