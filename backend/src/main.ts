import { drain } from './app/drain.ts';
import { start } from './app/start.ts';

/** Runs the command of the arguments; without one Errata starts. Returns the exit code, or undefined while it runs. */
function run([command, ...args]: readonly string[]): number | undefined | Promise<number | undefined> {
  if (command === undefined) return start(process.env);
  if (command === 'drain') return drain(process.env, args);
  process.stderr.write(
    `${command}: no such command; run it with drain, or without a command to start Errata\n`,
  );
  return 1;
}

const exitCode = await run(process.argv.slice(2));
// A failed start has closed everything; exiting at once keeps a handle of a library from holding the process.
if (exitCode !== undefined) process.exit(exitCode);
