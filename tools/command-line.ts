import { readConfig } from '../backend/src/config/config.ts';

/** Ends with one line, as every command does that cannot work. */
export function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the data directory of the settings, or ends with the line of a wrong setting. */
export function dataDirectory(): string {
  try {
    return readConfig(process.env).dataDir;
  } catch (error) {
    return fail(messageOf(error));
  }
}

/** Returns an option of make, or undefined: make passes one without a value as an empty text. */
export function option(name: string): string | undefined {
  return process.env[name] || undefined;
}
