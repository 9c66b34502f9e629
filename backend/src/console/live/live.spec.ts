import { createHash } from 'node:crypto';
import type { AuditList, SessionList } from '../../contract/access-api.ts';
import type { LiveEvents } from '../../contract/live-api.ts';
import { eventEnvelope, serverEvent } from '../../store/test/envelopes.fixture.ts';
import { HOUR_MS } from '../../time/iso.ts';
import { ConsoleServer, OPERATOR_TOKEN, SUPPORT_TOKEN } from '../console-server.fixture.ts';

const OPERATOR = { bearer: OPERATOR_TOKEN };

describe('the live view', () => {
  let server: ConsoleServer;
  beforeEach(async () => {
    server = await ConsoleServer.start();
  });
  afterEach(() => server.close());

  it('returns the events since the cursor of an earlier call', async () => {
    const { next } = await server.read<LiveEvents>('/console/api/live', OPERATOR);
    await server.parts.store.ingest([eventEnvelope(serverEvent(1, 'a/a'))]);

    const first = await server.read<LiveEvents>(`/console/api/live?after=${next}`, OPERATOR);
    const second = await server.read<LiveEvents>(`/console/api/live?after=${first.next}`, OPERATOR);

    expect(first.events.map(({ title }) => title)).toEqual(['TypeError: order 1 has no items']);
    expect([second.events, second.next]).toEqual([[], first.next]);
  });

  it('requires a session', async () => {
    const { status } = await server.ask('GET', '/console/api/live');

    expect(status).toBe(401);
  });

  it.each(['live', 'delivery', 'delivery/verdict', 'trend'])(
    '%s keeps no session from going idle',
    async (path) => {
      const cookie = await server.signIn(SUPPORT_TOKEN);
      const token = cookie.slice(cookie.indexOf('=') + 1);
      const usedMs = Date.now() - HOUR_MS;
      await server.parts.store.ask('touchSession', createHash('sha256').update(token).digest('hex'), usedMs);

      const { status } = await server.ask('GET', `/console/api/${path}`, { cookie });
      const { sessions } = await server.read<SessionList>('/console/api/sessions', OPERATOR);

      expect(status).toBe(200);
      expect(sessions.map(({ lastSeen }) => Date.parse(lastSeen))).toEqual([usedMs]);
    },
  );

  it('is one entry of the audit log', async () => {
    const { next } = await server.read<LiveEvents>('/console/api/live', OPERATOR);
    await server.read<LiveEvents>(`/console/api/live?after=${next}`, OPERATOR);

    const { entries } = await server.read<AuditList>('/console/api/audit', OPERATOR);

    expect(entries.map(({ action, target }) => `${action} ${target}`)).toEqual(['read live events']);
  });
});
