create table stored_weighted_values (
    run_id integer not null,
    judgment_set_id integer not null,
    measure varchar not null,
    weighted_value double,
    weighted_n bigint not null
);

comment on table stored_weighted_values is
'One row is the weighted mean of a registered measure over the judged queries.';
