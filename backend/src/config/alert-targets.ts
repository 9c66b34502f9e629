import { z } from 'zod';
import { ALERT_SERVICES, type AlertFilter, type AlertService, LEVELS } from '../contract/alert-filter.ts';
import { ISSUE_KINDS } from '../contract/event-api.ts';
import { mayReach } from '../net/egress.ts';
import { DAY_MS, HOUR_MS } from '../time/iso.ts';
import { isMailAddress } from './smtp-url.ts';
import { webhookKey } from './value-types.ts';

/** The grammar of ERRATA_ALERTS. No message quotes an address or the value of an option, which may be secret. */

/** A receiver of alerts. */
export interface AlertSetting {
  readonly url: URL;
  /** The service, if the address is one of its own, else the host. */
  readonly name: string;
  readonly service: AlertService | 'mail';
  readonly filter: AlertFilter;
  /** Most messages in `perMs`. */
  readonly max: number;
  readonly perMs: number;
  /** Key of the signature of `json`; without it requests are unsigned. */
  readonly secret: Uint8Array | null;
  /** Whether it may have plain http and a private address. */
  readonly allowsPrivate: boolean;
}

/** A new issue writes a row for each target. */
const MAX_TARGETS = 10;
const ADDRESS = /^(https?:\/\/|mailto:)/i;
const OPTION = /^([a-z]+)=(.+)$/s;
const RATE = /^([1-9]\d{0,3})\/([mhd])$/;
const MINUTE_MS = 60_000;
const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
/** Options of targets over HTTP. */
const NOT_FOR_MAIL = ['as', 'secret', 'private'];
/** Microsoft has switched these off. */
const SWITCHED_OFF = /(^|\.)(webhook|outlook)\.office\.com$/;
const EVENTS = {
  new: 'issue.new',
  regressed: 'issue.regressed',
  frequent: 'issue.frequent',
  health: 'health',
} as const;

class TargetFault extends Error {}

/** By name: reads the value of an option. @throws TargetFault */
const OPTIONS: Readonly<Record<string, (value: string, target: AlertSetting) => AlertSetting>> = {
  on: (value, target) =>
    filtered(target, { on: listOf(value, Object.keys(EVENTS)).map((each) => EVENTS[each as 'new']) }),
  kind: (value, target) => filtered(target, { kinds: listOf(value, ISSUE_KINDS) }),
  environment: (value, target) => filtered(target, { environments: listOf(value) }),
  project: (value, target) => filtered(target, { projects: listOf(value) }),
  level: (value, target) => filtered(target, { level: oneOf(value, LEVELS) }),
  max: (value, target) => {
    const [, count, unit = ''] = RATE.exec(value) ?? [];
    if (count === undefined)
      throw new TargetFault('expected a number of messages a minute, hour or day such as 10/m');
    return { ...target, max: Number(count), perMs: UNITS_MS[unit] ?? 0 };
  },
  as: (value, target) => ({ ...target, service: oneOf(value, ALERT_SERVICES) }),
  secret: (value, target) => {
    const key = webhookKey.safeParse(value);
    if (!key.success) throw new TargetFault('expected whsec_ and 24 to 64 bytes in base64');
    return { ...target, secret: key.data };
  },
  private: (value, target) => ({ ...target, allowsPrivate: oneOf(value, ['on', 'off']) === 'on' }),
};
const NAMES = Object.keys(OPTIONS).join(', ');

/** Targets, separated by white space: each is an address with the options behind it. */
export const alertSettings: z.ZodType<readonly AlertSetting[], string> = z
  .string()
  .transform((text, context) => {
    try {
      return readTargets(text.split(/\s+/).filter(Boolean));
    } catch (error) {
      if (!(error instanceof TargetFault)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });

function readTargets(words: readonly string[]): readonly AlertSetting[] {
  const groups: string[][] = [];
  for (const word of words) {
    if (ADDRESS.test(word)) groups.push([word]);
    else if (groups.length > 0) groups.at(-1)?.push(word);
    else
      throw new TargetFault(
        'expected an address such as https://hooks.example/errata before the first option',
      );
  }
  if (groups.length > MAX_TARGETS)
    throw new TargetFault(`expected at most ${MAX_TARGETS} targets, got ${groups.length}`);
  const targets: AlertSetting[] = [];
  for (const [index, [address = '', ...options]] of groups.entries()) {
    try {
      const target = readTarget(address, options);
      const same = targets.findIndex(({ url }) => url.href === target.url.href);
      if (same !== -1) throw new TargetFault(`the same address as target ${same + 1}`);
      targets.push(target);
    } catch (error) {
      if (error instanceof TargetFault) throw new TargetFault(`target ${index + 1}: ${error.message}`);
      throw error;
    }
  }
  return targets;
}

function readTarget(address: string, options: readonly string[]): AlertSetting {
  const url = URL.parse(address);
  if (url === null) throw new TargetFault('expected an address such as https://hooks.example/errata');
  const isMail = url.protocol === 'mailto:';
  let target: AlertSetting = {
    url,
    ...recognised(url),
    filter: { on: null, kinds: null, environments: null, projects: null, level: 'error' },
    max: 10,
    perMs: isMail ? HOUR_MS : MINUTE_MS,
    secret: null,
    allowsPrivate: false,
  };
  const seen = new Set<string>();
  for (const option of options) {
    const [, name, value = ''] = OPTION.exec(option) ?? [];
    // Another form may be a secret, and is not quoted.
    if (name === undefined) throw new TargetFault(`expected options such as on=new; they are ${NAMES}`);
    const read = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (read === undefined) throw new TargetFault(`no option "${name}"; expected ${NAMES}`);
    if (isMail && NOT_FOR_MAIL.includes(name)) throw new TargetFault(`${name}: not for mail`);
    if (seen.has(name)) throw new TargetFault(`${name} is given twice`);
    seen.add(name);
    try {
      target = read(value, target);
    } catch (error) {
      if (error instanceof TargetFault) throw new TargetFault(`${name}: ${error.message}`);
      throw error;
    }
  }
  checkAddress(target);
  if (target.secret !== null && target.service !== 'json')
    throw new TargetFault(`secret: only for json, and this target is ${target.service}`);
  return target;
}

/** Path of an incoming webhook of Mattermost, which has hosts of its own. */
const MATTERMOST = /^\/(?:[\w.-]+\/)*hooks\/[a-z\d]{26}$/;
const HOSTS: readonly (readonly [host: RegExp, service: AlertService, name: string])[] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack', 'Slack'],
  [/\.(api\.powerplatform|logic\.azure)\.com$/, 'teams', 'Teams'],
  [/^((ptb|canary)\.)?discord(app)?\.com$/, 'discord', 'Discord'],
  [/^chat\.googleapis\.com$/, 'google', 'Google Chat'],
];

/** Recognises a service by the address that it gives. */
function recognised({ protocol, host, hostname, pathname }: URL): Pick<AlertSetting, 'service' | 'name'> {
  if (protocol === 'mailto:') return { service: 'mail', name: 'Mail' };
  const [, service, name = host] = HOSTS.find(([ofService]) => ofService.test(hostname)) ?? [];
  return { service: service ?? (MATTERMOST.test(pathname) ? 'mattermost' : 'json'), name };
}

/** @throws TargetFault for an address that net/egress.ts would refuse each time. */
function checkAddress({ url, service, allowsPrivate }: AlertSetting): void {
  if (service === 'mail') {
    if (recipientsOf(url).every(isMailAddress)) return;
    throw new TargetFault('expected mail addresses such as mailto:oncall@example.com,second@example.com');
  }
  if (SWITCHED_OFF.test(url.hostname)) {
    throw new TargetFault(
      'Microsoft has switched these off; create a Workflows webhook in Teams and paste its address',
    );
  }
  if (!mayReach(url, true)) throw new TargetFault('an address of a metadata service');
  if (!mayReach(url, allowsPrivate) || (url.protocol !== 'https:' && !allowsPrivate)) {
    throw new TargetFault(
      'expected https and a public address; private=on allows http and private addresses',
    );
  }
}

/** Returns the addresses of a `mailto:` URL. */
export function recipientsOf({ href, protocol }: URL): readonly string[] {
  return href.slice(protocol.length).split(',');
}

function filtered(target: AlertSetting, part: Partial<AlertFilter>): AlertSetting {
  return { ...target, filter: { ...target.filter, ...part } };
}

/** Reads a list with commas. @param allowed values; without it any. */
function listOf<T extends string>(value: string, allowed?: readonly T[]): readonly T[] {
  const parts = value.split(',');
  if (parts.includes('')) throw new TargetFault('expected values with commas between them');
  return allowed === undefined ? (parts as T[]) : parts.map((part) => oneOf(part, allowed));
}

function oneOf<T extends string>(value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new TargetFault(`expected ${allowed.join(', ')}`);
  return found;
}
