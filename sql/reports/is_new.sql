-- Whether nothing was ever loaded or registered here.
select
    not exists (select 1 from runs)
    and not exists (select 1 from judgment_sets)
    and not exists (select 1 from measures)
