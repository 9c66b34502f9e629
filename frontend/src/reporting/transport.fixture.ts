import { makeOfflineTransport } from './offline-transport.ts';
import type { EnvelopeOutbox } from './outbox/envelope-outbox.ts';
import { MemoryOutbox } from './outbox/memory-outbox.ts';
import { FakeOrigin, FakePage, settled } from './page.fixture.ts';

interface TunnelAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A tunnel that is unreachable, answers with a given status, or does not answer; it records the envelopes. */
export class FakeTunnel {
  /** Texts of the envelopes answered 2xx. */
  readonly accepted: string[] = [];
  /** Texts of all envelopes sent to it. */
  readonly received: string[] = [];
  state: 'away' | 'silent' | TunnelAnswer = { status: 200, headers: {} };
  /** Answers for envelopes with a certain text, in any state. */
  readonly only = new Map<string, TunnelAnswer>();

  readonly fetch: typeof fetch = async (_url, request = {}) => {
    if (!ArrayBuffer.isView(request.body)) throw new TypeError('an envelope is sent as bytes');
    const text = new TextDecoder().decode(request.body);
    this.received.push(text);
    const own = [...this.only].find(([part]) => text.includes(part))?.[1];
    const state = own ?? this.state;
    if (state === 'away') throw new TypeError('Failed to fetch');
    if (state === 'silent') return new Promise(() => undefined);
    if (state.status < 300) this.accepted.push(text);
    const { status, headers } = state;
    const isError = status >= 400;
    return new Response('{}', {
      status,
      headers: isError ? { 'X-Sentry-Error': 'no', ...headers } : headers,
    });
  };

  answer(status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.state = { status, headers };
  }
}

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
