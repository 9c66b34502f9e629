/**
 * fast-check as every spec gets it: the same inputs in each run, so that a change fails only by its own fault. `SEED=7`
 * tries other inputs, as in `make faults`; a scheduled run does so.
 */
// By its path: Jest replaces the name with this file.
import fc from '../../node_modules/fast-check/lib/fast-check.js';

// Without shrinking: it can outlast the limit of the test, which would then hide the counterexample.
fc.configureGlobal({ seed: Number(process.env.SEED || 1), endOnFailure: true });

export default fc;
