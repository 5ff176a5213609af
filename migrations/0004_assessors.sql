-- What is known of those who made assessments: people, or a language model with a
-- prompt, and what it took.

alter table assessment_sets add column assessor_kind varchar;
alter table assessment_sets add column model varchar;
alter table assessment_sets add column prompt varchar;
alter table assessment_sets add column judging_cost double;
alter table assessment_sets add column judging_seconds double;
