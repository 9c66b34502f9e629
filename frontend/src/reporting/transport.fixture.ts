import type { EnvelopeOutbox } from './outbox/envelope-outbox.ts';
import { makeOfflineTransport } from './offline-transport.ts';
import { MemoryOutbox } from './outbox/memory-outbox.ts';
import { FakeOrigin, FakePage, settled } from './page.fixture.ts';
import { FakeTunnel } from './tunnel.fixture.ts';

type Transport = ReturnType<typeof makeOfflineTransport>;

export const MINUTE_MS = 60_000;
export const SENT_AT = '2026-11-20T10:00:00.000Z';

/** Opens a tab of an origin; it shares outbox and tunnel with the other tabs. */
export function open(tunnel: FakeTunnel, outbox: EnvelopeOutbox, page = new FakePage()) {
  const dropped: string[] = [];
  const transport = makeOfflineTransport(
    { url: '/tunnel', recordDroppedEvent: (reason, category) => dropped.push(`${reason}:${category}`) },
    { outbox, fetch: tunnel.fetch, lifecycle: page, random: () => 1 },
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

export function outboxOf(origin: FakeOrigin): MemoryOutbox {
  return new MemoryOutbox(() => origin.nowMs);
}

export function onePage() {
  const origin = new FakeOrigin();
  const tunnel = new FakeTunnel();
  const outbox = outboxOf(origin);
  return { origin, tunnel, outbox, ...open(tunnel, outbox, new FakePage(origin)) };
}
