import { runSteps } from './run-steps.ts';
import { STEPS } from './steps.ts';

/** Runs all checks and tests. The exit status is 1 if any failed. */
const isGreen = await runSteps(STEPS, (text) => process.stdout.write(text));
process.exitCode = isGreen ? 0 : 1;
