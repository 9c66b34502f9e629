import { type Config, type Environment, readConfig } from './config.ts';
import { SETTINGS } from './settings.ts';

/**
 * Settings in another application, whose environment also has names of its own. It must stop no application for a variable that
 * Errata does not read there, or that is the application's own.
 */

/** A port that an application has not asked for could be the one of another process. */
const HOST_DEFAULTS: Environment = { MANAGEMENT_PORT: 'off' };

const PROXY = [
  (value: string) => SETTINGS.httpsProxy.type.safeParse(value).success,
  'ignored, it is no http or https address; Errata connects without this proxy',
] as const;

/** By a name that applications use, too: which of its values are Errata's, and what happens to all others. */
const SHARED = {
  LOG_LEVEL: [
    (value: string) => SETTINGS.logLevel.type.safeParse(value).success,
    'ignored, it is no level of Errata, which logs from info on; the option settings can have another LOG_LEVEL',
  ],
  DATABASE_URL: [
    (value: string) => /^\W*postgres(ql)?:/i.test(value),
    'ignored, it is no PostgreSQL; the store of Errata is SQLite in the data directory',
  ],
  HTTPS_PROXY: PROXY,
  https_proxy: PROXY,
  HTTP_PROXY: PROXY,
  http_proxy: PROXY,
} as const;

/** The settings, and a line for each variable that is left to the application. */
interface HostConfig {
  readonly config: Config;
  readonly ignored: readonly string[];
}

/**
 * Reads the settings of an application that listens and routes itself.
 *
 * @param settings those that the application names in its code, which come first.
 * @param hasHttp whether it has HTTP; otherwise there is no management port either.
 * @throws ConfigErrors as {@link readConfig} does, also for a name in `settings` that is no setting.
 */
export function readHostConfig(
  environment: Environment,
  settings: Environment,
  hasHttp: boolean,
): HostConfig {
  const all: Record<string, string | undefined> = { ...environment, ...settings };
  const ignored: string[] = [];
  for (const [name, [isOfErrata, problem]] of Object.entries(SHARED)) {
    const value = all[name];
    if (name in settings || value === undefined || value === '' || isOfErrata(value)) continue;
    ignored.push(`${name}: ${problem}`);
    delete all[name];
  }
  const { MANAGEMENT_PORT: port = '' } = all;
  const hasManagement = hasHttp && port !== '' && port !== 'off';
  const ofManagement = hasManagement ? [] : ['HOST', 'MANAGEMENT_PORT'];
  for (const name of ['PORT', 'ERRATA_BASE_PATH', 'ERRATA_GATEWAY_PORT', ...ofManagement]) delete all[name];
  // An application may pass its whole environment on.
  const written = Object.keys(settings).filter((name) => settings[name] !== environment[name]);
  return { config: readConfig(all, undefined, HOST_DEFAULTS, written), ignored };
}
