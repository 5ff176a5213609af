-- What more measures need: a number after the @ that is no depth, how shares of
-- documents become whole numbers, the prices of utility, and how the values of queries become that of a run.
alter table measures add column level double;

alter table measures add column a double;

alter table measures add column b double;

alter table measures add column c double;

alter table measures add column d double;

alter table measures add column docs double;

alter table measures add column rounding double;

alter table measures add column summary varchar;

update measures set summary = 'mean';
