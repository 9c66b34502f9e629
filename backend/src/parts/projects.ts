import type { Config } from '../config/config.ts';
import { canonicalDsn, type Dsn, parseDsn } from '../envelope/dsn.ts';
import type { EventStore } from '../store/event-store.ts';
import type { AllowedProject } from '../tunnel/allow-list.ts';

/** RFC 2606: a name that never resolves, so that a report to the own project cannot leave by accident. */
const OWN_HOST = 'errata.invalid';

/**
 * The projects that may be reported to; the first one is the application's own. Without `SENTRY_DSN` Errata makes
 * one, whose key lies in the store so that all replicas have the same.
 */
export async function projectsOf(
  config: Config,
  store: EventStore,
): Promise<readonly [AllowedProject, ...AllowedProject[]]> {
  const first =
    config.sentryDsn === null
      ? allowed(ownDsn(await store.ask('ownProjectKey')), false)
      : allowed(config.sentryDsn, true);
  const further = config.tunnelDsns.map((dsn) => allowed(dsn, true));
  // A DSN that is named twice is one project, with one lane: two would send everything twice.
  const unique = new Map(further.map((project) => [project.project, project]));
  unique.delete(first.project);
  return [first, ...unique.values()];
}

function allowed(dsn: Dsn, hasUpstream: boolean): AllowedProject {
  return { dsn, project: canonicalDsn(dsn), hasUpstream };
}

function ownDsn(key: string): Dsn {
  const dsn = parseDsn(`https://${key}@${OWN_HOST}/1`);
  if (dsn === undefined) throw new Error('the store gave a project key that fits in no DSN');
  return dsn;
}
