import type { EnvelopeKeep } from './outbox/envelope-outbox.ts';
import { makeKeepingTransport } from './offline-transport.ts';
import { MemoryKeep } from './outbox/memory-outbox.ts';
import { FakeOrigin, FakePage, settled } from './page.fixture.ts';
import { FakeTunnel } from './tunnel.fixture.ts';

type Transport = ReturnType<typeof makeKeepingTransport>;

export const MINUTE_MS = 60_000;
export const SENT_AT = '2026-11-20T10:00:00.000Z';

/** A tab of an origin: its keep and its tunnel are those of the other tabs. */
export function open(tunnel: FakeTunnel, keep: EnvelopeKeep, page = new FakePage()) {
  const dropped: string[] = [];
  const transport = makeKeepingTransport(
    { url: '/tunnel', recordDroppedEvent: (reason, category) => dropped.push(`${reason}:${category}`) },
    { keep, fetch: tunnel.fetch, life: page, random: () => 1 },
  );
  return { transport, page, dropped };
}

export async function sendItem(transport: Transport, type: string, text: string): Promise<void> {
  const envelope: unknown = [{ sent_at: SENT_AT, dsn: 'd' }, [[{ type }, { text }]]];
  void transport.send(envelope as Parameters<Transport['send']>[0]);
  await settled();
}

export function texts(envelopes: readonly string[]): readonly (string | undefined)[] {
  return envelopes.map((envelope) => /"text":"([^"]*)"/.exec(envelope)?.[1]);
}

export function keepOf(origin: FakeOrigin): MemoryKeep {
  return new MemoryKeep(() => origin.nowMs);
}

export function onePage() {
  const origin = new FakeOrigin();
  const tunnel = new FakeTunnel();
  const keep = keepOf(origin);
  return { origin, tunnel, keep, ...open(tunnel, keep, new FakePage(origin)) };
}
