/**
 * fast-check as every spec gets it: the same inputs in each run, so that a change fails only by its own fault. `SEED=7`
 * tries other inputs, as in `make faults`; a scheduled run does so.
 */
// By its path: Jest replaces the name with this file.
import fc from '../../node_modules/fast-check/lib/fast-check.js';

// Without shrinking: it can outlast the limit of the test, which would then hide the counterexample.
fc.configureGlobal({ seed: Number(process.env.SEED || 1), endOnFailure: true });

const [FIRST_SURROGATE, SURROGATES, CODE_POINTS] = [0xd800, 0x800, 0x110000];

/**
 * Any code point but the halves of a pair: fast-check's unit `binary`, with the same strings for a seed. Its own computes
 * the graphemes of all Unicode first, which takes 2 s of CPU in each spec file.
 */
const codePoint = fc.nat(CODE_POINTS - SURROGATES - 1).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (text) => {
    if (!/^\P{Cs}$/u.test(text)) throw new Error('expected one code point');
    const code = text.codePointAt(0);
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);

export default {
  ...fc,
  string: (constraints = {}) =>
    fc.string(constraints.unit === 'binary' ? { ...constraints, unit: codePoint } : constraints),
};
