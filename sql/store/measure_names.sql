-- The names of a measure.
insert into measure_names (measure, measure_name)
select
    $measure as measure,
    unnest($names) as measure_name
