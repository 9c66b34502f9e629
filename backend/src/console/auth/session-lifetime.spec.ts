import type { EventStore } from '../../store/event-store.ts';
import { Sessions } from './sessions.ts';
import { ConsoleTokens } from './tokens.ts';
import { SignInLinks } from './sign-in-links.ts';
import { HOUR_MS } from '../../time/iso.ts';

interface Session {
  readonly tokenHash: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
}

/** Keeps sessions as the store does. */
class FakeSessions {
  readonly known = new Map<string, Session>();

  ask(call: string, session: Session | string, atMs = 0): Promise<unknown> {
    if (typeof session !== 'string') this.known.set(session.tokenHash, session);
    else if (call === 'session') return Promise.resolve(this.known.get(session));
    else if (call === 'deleteSession') this.known.delete(session);
    else this.known.set(session, { ...(this.known.get(session) as Session), lastSeenAtMs: atMs });
    return Promise.resolve(undefined);
  }
}

/** The sessions of a process with this token. */
function sessionsOf(store: FakeSessions, operator: string | null): Sessions {
  return new Sessions(
    {
      tokens: new ConsoleTokens({ operator, support: null }),
      links: new SignInLinks(),
      hasProvider: false,
    },
    store as unknown as EventStore,
    { idleMs: 2 * HOUR_MS, maxMs: 100 * HOUR_MS },
  );
}

describe('a session that a token began', () => {
  it.each([
    ['the same token', 'a-token-of-16-chars', true],
    ['another token', 'the-token-thereafter', false],
    ['no token', null, false],
  ])('after a restart with %s', async (_, operator, isSignedIn) => {
    const store = new FakeSessions();
    const before = sessionsOf(store, 'a-token-of-16-chars');
    const { token } = await before.start({ who: 'operator', role: 'operator', way: 'token' }, 0);

    const after = sessionsOf(store, operator);

    expect((await after.principal(token, 0)) !== undefined).toBe(isSignedIn);
  });
});

describe('a page that only polls', () => {
  async function signedIn() {
    const sessions = sessionsOf(new FakeSessions(), 'a-token-of-16-chars');
    const { token } = await sessions.start({ who: 'ann', role: 'support', way: 'oidc' }, 0);
    return { sessions, token };
  }

  it('does not keep its session from going idle', async () => {
    const { sessions, token } = await signedIn();

    const before = await sessions.principal(token, 1.5 * HOUR_MS, false);
    const after = await sessions.principal(token, 2.5 * HOUR_MS, false);

    expect([before?.who, after]).toEqual(['ann', undefined]);
  });

  it('goes on while its session is used elsewhere, and ends when that is signed out', async () => {
    const { sessions, token } = await signedIn();
    await sessions.principal(token, 1.5 * HOUR_MS);
    const used = await sessions.principal(token, 3 * HOUR_MS, false);
    await sessions.signOut(token);

    expect([used?.who, await sessions.principal(token, 3 * HOUR_MS, false)]).toEqual(['ann', undefined]);
  });
});
