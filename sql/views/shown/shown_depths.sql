-- One row is a kind of ranking (see listed_rankings) and a depth down to which
-- some measure of runs counts what is shown; without a cutoff, to the end.
select distinct
    shown_measures.known,
    shown_measures.depth

from shown_measures

where shown_measures.summary = 'none'
