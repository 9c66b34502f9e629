import { hash } from 'node:crypto';
import { type AlertSetting, recipientsOf } from '../config/alert-targets.ts';
import type { Config } from '../config/config.ts';
import type { EventStore } from '../store/event-store.ts';
import type { AlertTarget } from '../store/outbox/targets.ts';
import { AlertChannel, type AlertTransport, reportDropped } from '../alerts/alert-channel.ts';
import { AlertClient } from '../alerts/alert-client.ts';
import { AlertSender } from '../alerts/alert-sender.ts';
import { MailClient } from '../alerts/mail-client.ts';
import { every, type Job } from '../time/every.ts';
import type { ErrataOptions } from './options.ts';

/** Tells apart the few targets of a deployment, and is no way back to an address. */
const ID_LENGTH = 16;
/** In log and metrics: all targets that have left the settings, which have no name any more. */
const REMOVED = 'removed';
/** Until a database that is away at the start answers. */
const RETRY_MS = 60_000;

/** Returns the targets of alerts as the store knows them. */
export function alertTargets({ alerts }: Pick<Config, 'alerts'>): readonly AlertTarget[] {
  return alerts.map(({ url, filter, max, perMs }) => ({ id: idOf(url), filter, max, perMs }));
}

/** Creates a sender for each target of ERRATA_ALERTS. */
export function openAlerts(
  { config, release, log, metrics }: ErrataOptions,
  store: EventStore,
): readonly AlertSender[] {
  const names = config.alerts.map(({ name }) => name);
  return config.alerts.map((setting, index) => {
    const { url, filter, name } = setting;
    const earlier = names.slice(0, index).filter((each) => each === name).length;
    const shown = earlier === 0 ? name : `${name} ${earlier + 1}`;
    const transport = transportTo(setting, config, release);
    const options = { id: idOf(url), name: shown, filter, log, metrics };
    return new AlertSender(store, new AlertChannel(transport, options), { log });
  });
}

function transportTo(
  { url, service, secret, allowsPrivate }: AlertSetting,
  config: Config,
  release: string,
): AlertTransport {
  if (service === 'mail') return mailTo(recipientsOf(url), config);
  const userAgent = `errata/${release}`;
  return new AlertClient({ url, service, secret, allowsPrivate, userAgent, proxy: config });
}

function mailTo(to: readonly string[], { smtp, publicUrl }: Config): MailClient {
  // readConfig refuses targets without a server, and a server without a sender.
  if (smtp === null) throw new Error('ERRATA_SMTP_URL is not set');
  return new MailClient(smtp, { from: smtp.from ?? `errata@${URL.parse(publicUrl ?? '')?.hostname}`, to });
}

/** Deletes once, as soon as the store answers, the messages of targets that have left the settings. */
export function dropRemoved(
  store: Pick<EventStore, 'ask'>,
  options: Pick<ErrataOptions, 'log' | 'metrics'>,
): Job {
  reportDropped(REMOVED, 0, options);
  const drop = async (): Promise<void> => {
    const dropped = await store.ask('dropOtherTargets');
    job.stop();
    reportDropped(REMOVED, dropped, options);
  };
  const job = every({ everyMs: RETRY_MS, isAtOnce: true }, drop, (err) =>
    options.log.error({ err }, 'alerts_failed'),
  );
  return job;
}

function idOf({ href }: URL): string {
  return hash('sha256', href, 'hex').slice(0, ID_LENGTH);
}
