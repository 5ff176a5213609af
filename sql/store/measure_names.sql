-- The names of a measure.
insert into measure_names (measure, name)
select
    $measure as measure,
    unnest($names) as name
