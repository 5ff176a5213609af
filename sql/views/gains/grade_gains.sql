-- One row is the gain of a grade of a judgment set under a gain scheme (see
-- scheme_gains). A gain that is too large to be summed is 0: no measure is
-- evaluated with it (see unfit_measures).
select
    scheme_gains.judgment_set_id,
    scheme_gains.grade,
    scheme_gains.gain_scheme,
    scheme_gains.rel,
    case
        when abs(scheme_gains.gain) > 1e300 then 0
        else scheme_gains.gain
    end as gain

from scheme_gains
