-- Measures of whole rankings take the share of the catalogue that is its tail,
-- and the attribute by which documents differ.

alter table measures add column tail double;

alter table measures add column by_attribute varchar;
