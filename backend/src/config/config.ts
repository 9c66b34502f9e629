import { readFileSync } from 'node:fs';
import { SETTINGS } from './settings.ts';
import type { Setting } from './value-types.ts';

/**
 * Parses the environment into one frozen value, once, at start. No other folder reads the environment, and nothing
 * here opens or checks what a setting names.
 */

type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** All settings, parsed and with their defaults. */
export type Config = { readonly [K in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[K]> };

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment is invalid; `errors` has one line for each error, so that one start shows all of them. */
export class ConfigErrors extends Error {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.name = 'ConfigErrors';
    this.errors = errors;
  }
}

/** A setting is valid by itself, but this machine cannot fulfil it: a port in use, a folder that is not there. */
export class SettingError extends Error {
  override readonly name = 'SettingError';

  constructor(setting: string, problem: string, cause?: unknown) {
    super(`${setting}: ${problem}`, { cause });
  }
}

/** Settings of other programs: `make doctor` and `make seed` read the URL, docker/compose.yaml the version. */
const OTHER_PROGRAMS: ReadonlySet<string> = new Set(['ERRATA_URL', 'ERRATA_VERSION']);

/**
 * Names that Kubernetes makes for a Service called `errata…` (its documentation: "Environment variables" of Services).
 * The server ignores them, because they are no typos. The manifests in docker/kubernetes switch them off; manifests
 * written elsewhere may not.
 */
const SERVICE_LINK =
  /_SERVICE_HOST$|_SERVICE_PORT(_[A-Z0-9_]+)?$|^ERRATA_([A-Z0-9_]+_)?PORT$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;

/**
 * The value that Kubernetes gives to `<NAME>_PORT` of a Service: a Service called `management` makes MANAGEMENT_PORT.
 * A setting with such a name counts as absent then, because no operator wrote it.
 */
const SERVICE_ADDRESS = /^(tcp|udp|sctp):\/\/(\[[\da-f:.]+\]|[\d.]+):\d{1,5}$/i;

/**
 * What stands around a value by mistake: `docker run --env-file` and lists in Compose keep quotes, and a secret that `echo` has
 * written ends with a line break. A token with either signs in no user, because nobody types them.
 */
const AROUND: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/^\s|\s$/, 'begins or ends with a blank or a line break; remove it'],
  [/^(["'])(?:(?!\1).)*\1$/s, 'is in quotes, which are part of the value here; remove them'],
];

/**
 * Reads every setting.
 *
 * @param defaults by name, in the place of the documented ones. @param written names that can only mean a setting.
 * @throws ConfigErrors with all errors: invalid values, unreadable secret files, unknown `ERRATA_*` and `written` names.
 */
export function readConfig(
  environment: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
  defaults: Environment = {},
  written: readonly string[] = [],
): Config {
  const errors: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
    try {
      values[key] = parse(setting, rawValue(setting, environment, readFile) ?? defaults[setting.name]);
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  errors.push(
    ...sameTokens(values),
    ...incompleteProvider(values),
    ...replicaAlone(values),
    ...supportOnPlain(values),
    ...mailWithoutServer(values),
    ...unknownNames(environment, written),
  );
  if (errors.length > 0) throw new ConfigErrors(errors);
  return Object.freeze(values) as Config;
}

function rawValue(
  setting: Setting<unknown>,
  environment: Environment,
  readFile: (path: string) => string,
): string | undefined {
  const direct = writtenValue(setting.name, environment);
  const file = setting.isSecret ? environment[`${setting.name}_FILE`] : undefined;
  if (file === undefined || file === '') return direct === '' ? undefined : direct;
  if (direct !== undefined && direct !== '') {
    throw new Error(`${setting.name} and ${setting.name}_FILE are both set; keep one`);
  }
  rejectAround(`${setting.name}_FILE`, file);
  try {
    return readFile(file).trim();
  } catch (cause) {
    throw new Error(`${setting.name}_FILE: cannot read ${file}`, { cause });
  }
}

/** Names that other programs read in lower case, too; the other form counts where both are set. */
const PROXY_NAME = /^(HTTPS?|NO)_PROXY$/;

function writtenValue(name: string, environment: Environment): string | undefined {
  const value = environment[name] ?? (PROXY_NAME.test(name) ? environment[name.toLowerCase()] : undefined);
  return name.endsWith('_PORT') && SERVICE_ADDRESS.test(value ?? '') ? undefined : value;
}

function parse(setting: Setting<unknown>, raw: string | undefined): unknown {
  const input = raw ?? setting.default;
  if (input === null) return null;
  const result = setting.type.safeParse(input);
  // A type that reads the text, such as a list, has left them out.
  if (!result.success || result.data === input) rejectAround(setting.name, input);
  if (result.success) return result.data;
  const got = setting.isSecret ? '' : `, got ${JSON.stringify(input)}`;
  throw new Error(`${setting.name}: ${result.error.issues.map((issue) => issue.message).join('; ')}${got}`);
}

/** @throws Error for a value with something of {@link AROUND}. */
function rejectAround(name: string, value: string): void {
  const [, problem] = AROUND.find(([pattern]) => pattern.test(value)) ?? [];
  if (problem !== undefined) throw new Error(`${name}: ${problem}`);
}

function sameTokens({ consoleToken, supportToken }: Partial<Config>): readonly string[] {
  if (typeof supportToken !== 'string' || supportToken !== consoleToken) return [];
  return [
    'ERRATA_SUPPORT_TOKEN: is the same as ERRATA_CONSOLE_TOKEN, so it signs in operators; choose another',
  ];
}

function incompleteProvider(config: Partial<Config>): readonly string[] {
  const { oidcIssuer, oidcClientId, oidcOperators = [], oidcSupport = [] } = config;
  const hasIssuer = typeof oidcIssuer === 'string';
  if (hasIssuer !== (typeof oidcClientId === 'string'))
    return ['OIDC_ISSUER and OIDC_CLIENT_ID: only one of them is set'];
  if (hasIssuer && oidcOperators.length + oidcSupport.length === 0)
    return ['OIDC_OPERATORS and OIDC_SUPPORT: both are empty, so no user can sign in; set one of them'];
  return [];
}

/** Returns the address of the console's links; null where it is not set. */
export function publicUrlOf({ publicUrl, basePath }: Pick<Config, 'publicUrl' | 'basePath'>): string | null {
  return publicUrl === null ? null : publicUrl + basePath;
}

/** Replicas without a shared store would each show only a part of the errors. */
function replicaAlone({ replica = 0, databaseUrl }: Partial<Config>): readonly string[] {
  if (replica === 0 || databaseUrl !== null) return [];
  return [
    `ERRATA_REPLICA: replica ${replica} needs DATABASE_URL, so that replicas share one store; set it, or run one replica`,
  ];
}

/** The link that an operator has set would be on no page. */
function supportOnPlain({ errorPage, supportUrl }: Partial<Config>): readonly string[] {
  if (errorPage !== 'plain' || typeof supportUrl !== 'string') return [];
  return ['ERRATA_SUPPORT_URL: needs ERRATA_ERROR_PAGE=helpful'];
}

function mailWithoutServer({ alerts = [], smtp, publicUrl }: Partial<Config>): readonly string[] {
  const number = alerts.findIndex(({ service }) => service === 'mail') + 1;
  if (smtp === null && number > 0) return [`ERRATA_ALERTS: target ${number}: mail needs ERRATA_SMTP_URL`];
  if (smtp?.from === null && publicUrl === null)
    return ['ERRATA_SMTP_URL: names no sender; add ?from=errata@example.com, or set ERRATA_PUBLIC_URL'];
  return [];
}

function unknownNames(environment: Environment, written: readonly string[]): readonly string[] {
  const known = new Set(OTHER_PROGRAMS);
  for (const { name, isSecret } of Object.values(SETTINGS)) {
    known.add(name);
    if (isSecret) known.add(`${name}_FILE`);
  }
  return Object.keys(environment)
    .filter((name) => name.startsWith('ERRATA_') || written.includes(name))
    .filter((name) => !known.has(name) && !SERVICE_LINK.test(name))
    .map((name) => `${name}: no such setting (see docs/configuration.md)`);
}
