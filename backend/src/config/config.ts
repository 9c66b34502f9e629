import { readFileSync } from 'node:fs';
import { contradictions } from './contradictions.ts';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** Turns the environment into one frozen value, once, at start; nothing else reads the environment. */

type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** All settings, parsed and with their defaults. */
export type Config = { readonly [K in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[K]> };

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment cannot be used; `faults` names every one, so that one look mends them all. */
export class ConfigErrors extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`Invalid settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigFaults';
    this.faults = faults;
  }
}

/**
 * Names Kubernetes makes for a Service called `errata…` (docs: "Environment variables" of Services); they are
 * not typos of ours. Our manifests switch them off, other people's do not.
 */
const SERVICE_LINK =
  /_SERVICE_HOST$|_SERVICE_PORT(_[A-Z0-9_]+)?$|^ERRATA_([A-Z0-9_]+_)?PORT$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;

/**
 * Reads every setting.
 *
 * @throws ConfigErrors listing all faults: invalid values, unreadable secret files, unknown `ERRATA_*` names.
 */
export function readConfig(
  environment: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
    try {
      values[key] = parse(setting, rawValue(setting, environment, readFile));
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  faults.push(...contradictions(values), ...unknownNames(environment));
  if (faults.length > 0) throw new ConfigErrors(faults);
  return Object.freeze(values) as Config;
}

function rawValue(
  setting: Setting<unknown>,
  environment: Environment,
  readFile: (path: string) => string,
): string | undefined {
  const direct = environment[setting.name];
  const file = setting.isSecret ? environment[`${setting.name}_FILE`] : undefined;
  if (file === undefined || file === '') return direct === '' ? undefined : direct;
  if (direct !== undefined && direct !== '') {
    throw new Error(`${setting.name} and ${setting.name}_FILE are both set; keep one`);
  }
  try {
    return readFile(file).trim();
  } catch (cause) {
    throw new Error(`${setting.name}_FILE: cannot read ${file}`, { cause });
  }
}

function parse(setting: Setting<unknown>, raw: string | undefined): unknown {
  const input = raw ?? setting.default;
  if (input === null) return null;
  const result = setting.type.safeParse(input);
  if (result.success) return result.data;
  const got = setting.isSecret ? '' : `, got ${JSON.stringify(input)}`;
  throw new Error(`${setting.name}: ${result.error.issues.map((issue) => issue.message).join('; ')}${got}`);
}

function unknownNames(environment: Environment): readonly string[] {
  const known = new Set<string>();
  for (const { name, isSecret } of Object.values(SETTINGS)) {
    known.add(name);
    if (isSecret) known.add(`${name}_FILE`);
  }
  return Object.keys(environment)
    .filter((name) => name.startsWith('ERRATA_') && !known.has(name) && !SERVICE_LINK.test(name))
    .map((name) => `${name}: no such setting (see docs/configuration.md)`);
}
