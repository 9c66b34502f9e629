import { createLog } from '../../../telemetry/log.ts';
import { ProviderSignIn } from './provider-sign-in.ts';
import type { ClaimSources } from './user-claims.ts';

const PENDING = { state: 's', nonce: 'n', verifier: 'v', to: '/console', beganAtMs: 0 };
const RETURNED = new URL('https://errata.example/console/api/oidc/return?state=s&code=c');

/** Signs in a user with these claims. Returns the result, the lines of the log, and the refused users. */
async function finish(claims: ClaimSources) {
  const lines: string[] = [];
  const refused: string[] = [];
  const provider = {
    start: () => Promise.reject(new Error('not part of this test')),
    finish: () => Promise.resolve({ outcome: 'known', claims } as const),
  };
  const lists = {
    operators: ['group:errata-admin'],
    support: ['ann@example.org'],
    groupsClaim: 'groups',
    acceptsUnmarkedEmail: false,
  };
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const audit = { refused: (...entry: readonly string[]) => void refused.push(entry.join(' ')) };
  const result = await new ProviderSignIn(provider, lists, log, audit).finish(RETURNED, PENDING);
  return { result, lines, refused };
}

it('logs one line with reason, groups and names of claims for a user without a role', async () => {
  const claims = { sub: 'u', groups: ['/errata-admin'], name: 'Ann\nMay' };
  const { result, lines, refused } = await finish([claims]);

  expect(result).toBe('no_access');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'warn',
    msg: 'oidc_no_access',
    reason: 'not_listed',
    groupsClaim: 'groups',
    groups: ['/errata-admin'],
    claims: ['sub', 'groups', 'name'],
  });
  expect(lines[0]).not.toContain('May');
  expect(refused).toEqual(['Ann\nMay (u) not_listed']);
});

it('names the setting for a provider that marks no address', async () => {
  const { result, lines } = await finish([{ sub: 'u', email: 'ann@example.org' }]);

  expect(result).toBe('unverified');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    reason: 'no_email_verified',
    setting: 'OIDC_ACCEPT_UNVERIFIED_EMAIL',
  });
});

it('logs at most fifty groups', async () => {
  const { lines } = await finish([{ groups: Array.from({ length: 300 }, (_, index) => `g${index}`) }]);

  expect(JSON.parse(lines[0] ?? '').groups).toHaveLength(50);
});

it('logs nothing for a user with a role', async () => {
  const claims = { sub: 'u', email: 'Ann@example.org', email_verified: true };
  const { result, lines, refused } = await finish([claims]);

  expect(result).toEqual({ who: 'ann@example.org', role: 'support', way: 'oidc' });
  expect([...lines, ...refused]).toEqual([]);
});
