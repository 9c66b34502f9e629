import { hash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { EventStore } from '../store/event-store.ts';
import type { AlertTarget } from '../store/outbox/targets.ts';
import { AlertClient } from '../alerts/alert-client.ts';
import { AlertSender, type AlertSenderOptions } from '../alerts/alert-sender.ts';

/** Tells apart the few targets of a deployment, and is no way back to an address. */
const ID_LENGTH = 16;

/** Returns the targets of alerts as the store knows them. */
export function alertTargets({ alerts }: Pick<Config, 'alerts'>): readonly AlertTarget[] {
  return alerts.map(({ url, filter, max, perMs }) => ({ id: idOf(url), filter, max, perMs }));
}

/** Creates a sender for each target of ERRATA_ALERTS. */
export function openAlerts(
  config: Config,
  store: EventStore,
  release: string,
  options: Omit<AlertSenderOptions, 'target' | 'name' | 'service'>,
): readonly AlertSender[] {
  return config.alerts.map(({ url, service, secret, allowsPrivate }) => {
    const target = { url, service, secret, allowsPrivate, userAgent: `errata/${release}`, proxy: config };
    return new AlertSender(store, new AlertClient(target), {
      ...options,
      target: idOf(url),
      service,
      name: url.host,
    });
  });
}

function idOf({ href }: URL): string {
  return hash('sha256', href, 'hex').slice(0, ID_LENGTH);
}
