-- One row is a printed line with a measure that its value comes from; a line
-- that shows the mean of several measures has several rows. needs is a measure
-- without which the value is 0; summary is how the values of queries are
-- combined.
create temp table printed_lines as
select
    unnest($lines) as line,
    unnest($names) as name,
    unnest(cast($measures as varchar[])) as measure,
    unnest(cast($needs as varchar[])) as needs,
    unnest($summaries) as summary
