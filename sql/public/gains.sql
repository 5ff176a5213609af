-- One row is the gain of a grade under a named gain scheme, or under a map of
-- gains that a measure has. The schemes linear, exp and binary are formulas and
-- have no rows. A grade that a map does not name keeps itself as its gain.
select
    gains.gain_scheme, gains.grade, gains.gain
from store.gains
