/** Runs the command of the arguments; without one Errata starts. Returns the exit code, or undefined while it runs. */
async function run([command, ...args]: readonly string[]): Promise<number | undefined> {
  try {
    await import('./config/require-node.ts');
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  if (command === undefined) return (await import('./app/start.ts')).start(process.env);
  if (command === 'drain') return (await import('./app/drain.ts')).drain(process.env, args);
  process.stderr.write(
    `${command}: no such command; run it with drain, or without a command to start Errata\n`,
  );
  return 1;
}

const exitCode = await run(process.argv.slice(2));
// A failed start has closed everything; exiting at once keeps a handle of a library from holding the process.
if (exitCode !== undefined) process.exit(exitCode);
