import { DIRECT, Proxy } from '../../../net/proxy.fixture.ts';
import { createLog } from '../../../telemetry/log.ts';
import { IdentityProvider } from './identity-provider.ts';
import { ProviderSignIn } from './provider-sign-in.ts';
import { SigningProvider } from './signing-provider.fixture.ts';
import type { UserClaims } from './user-claims.ts';

const PENDING = { state: 's', nonce: 'n', verifier: 'v'.repeat(43), to: '/console', beganAtMs: 0 };
const RETURNED = new URL('https://errata.example/console/api/oidc/return?state=s&code=c');

const ANN = { email: 'ann@example.org' };
const VERIFIED = { ...ANN, email_verified: true };
const NOT_VERIFIED = { ...ANN, email_verified: false };
const EVE = { email: 'eve@example.org', email_verified: true };

let signer: SigningProvider;
let nowMs = 0;
let lines: string[] = [];

beforeEach(async () => {
  signer = await SigningProvider.listen();
  nowMs = 1_000_000;
  lines = [];
});
afterEach(() => signer.close());

/** Makes the sign-in of an Errata in which Ann is an operator. */
function signInOf(acceptsUnmarkedEmail = false, proxy = DIRECT): ProviderSignIn {
  const options = {
    issuer: signer.issuer,
    clientId: 'errata',
    clientSecret: 'a-client-secret-for-tests',
    scope: 'openid email',
    wanted: ['email', 'email_verified'],
    proxy,
  };
  const lists = { operators: ['ann@example.org'], support: [], groupsClaim: 'groups', acceptsUnmarkedEmail };
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const audit = { refused: () => undefined };
  return new ProviderSignIn(new IdentityProvider(options, () => nowMs), lists, log, audit);
}

describe('a sign-in by email address', () => {
  it.each<[string, UserClaims, string, UserClaims, string, 'on' | 'off', string]>([
    ['verified', VERIFIED, 'none', {}, 'signs in', 'off', 'operator'],
    ['verified', VERIFIED, 'not verified', NOT_VERIFIED, 'signs in', 'off', 'operator'],
    ['not verified', NOT_VERIFIED, 'verified', VERIFIED, 'is denied', 'off', 'email_not_verified'],
    ['not verified', NOT_VERIFIED, 'none', {}, 'is denied', 'on', 'email_not_verified'],
    ['unmarked', ANN, 'none', {}, 'is denied', 'off', 'no_email_verified'],
    ['unmarked', ANN, 'none', {}, 'signs in', 'on', 'operator'],
    ['unmarked', ANN, 'unmarked', ANN, 'is denied', 'off', 'no_email_verified'],
    ['unmarked', ANN, 'verified', VERIFIED, 'signs in', 'off', 'operator'],
    ['unmarked', ANN, 'not verified', NOT_VERIFIED, 'is denied', 'off', 'email_not_verified'],
    ['unmarked', ANN, 'not verified', NOT_VERIFIED, 'is denied', 'on', 'email_not_verified'],
    ['unmarked', ANN, 'only a mark', { email_verified: true }, 'is denied', 'off', 'no_email_verified'],
    ['unmarked', ANN, 'another one', EVE, 'is denied', 'off', 'not_listed'],
    ['none', {}, 'verified', VERIFIED, 'signs in', 'off', 'operator'],
    ['none', {}, 'not verified', NOT_VERIFIED, 'is denied', 'on', 'email_not_verified'],
    ['none', {}, 'unmarked', ANN, 'is denied', 'off', 'no_email_verified'],
    ['none', {}, 'unmarked', ANN, 'signs in', 'on', 'operator'],
    ['only a mark', { email_verified: true }, 'unmarked', ANN, 'is denied', 'off', 'no_email_verified'],
  ])('with a token of %s, %j, and userinfo of %s, %j, %s (setting %s): %s', async (...row) => {
    const [, claims, , userinfo, , setting, outcome] = row;
    signer.response = { claims, userinfo };

    const identity = await signInOf(setting === 'on').finish(RETURNED, PENDING);

    const { reason } = JSON.parse(lines[0] ?? '{}') as { reason?: string };
    expect(typeof identity === 'string' ? reason : identity.role).toBe(outcome);
  });
});

describe('a token that fails a check', () => {
  it.each([
    ['alg', { claims: VERIFIED, signedBy: 'the client secret' as const }, 'alg'],
    ['key', { claims: VERIFIED, signedBy: 'another key' as const }, 'signature'],
    ['nonce', { claims: { ...VERIFIED, nonce: 'x' } }, 'nonce'],
    ['iss', { claims: { ...VERIFIED, iss: 'https://evil.example' } }, 'iss'],
    ['aud', { claims: { ...VERIFIED, aud: 'other' } }, 'aud'],
    ['exp', { claims: { ...VERIFIED, exp: 1_000_000_000 } }, 'exp'],
  ])('is rejected, with the reason in the log: %s', async (_check, response, word) => {
    signer.response = response;

    expect(await signInOf().finish(RETURNED, PENDING)).toBe('rejected');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'oidc_failed',
      problem: 'rejected',
      reason: expect.stringContaining(word),
    });
  });
});

describe('a provider that is down', () => {
  it('is asked once in 5 s, and again after them', async () => {
    const signIn = signInOf();
    signer.isDown = true;

    const starts = [];
    for (let start = 0; start < 30; start += 1) starts.push(await signIn.start(RETURNED));
    nowMs += 4_999;
    starts.push(await signIn.start(RETURNED));

    expect(new Set(starts)).toEqual(new Set(['unreachable']));
    expect(signer.discoveries).toBe(1);

    signer.isDown = false;
    nowMs += 1;

    expect(await signIn.start(RETURNED)).toMatchObject({ url: expect.any(URL) });
    expect(signer.discoveries).toBe(2);
  });
});

describe('a provider that compresses unasked', () => {
  it.each(['gzip', 'deflate'] as const)('signs users in with %s', async (coding) => {
    Object.assign(signer, { coding, response: { claims: VERIFIED } });

    expect(await signInOf().finish(RETURNED, PENDING)).toMatchObject({ role: 'operator' });
    expect(signer.asked).toEqual(new Set(['identity']));
  });

  it.each(['br', 'zstd'] as const)('is refused with %s, and the log says why', async (coding) => {
    Object.assign(signer, { coding, response: { claims: VERIFIED } });

    expect(await signInOf().finish(RETURNED, PENDING)).toBe('unreachable');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'oidc_failed',
      reason: `the provider responded with the content coding ${coding}; turn it off there`,
    });
  });
});

describe('a provider behind a proxy', () => {
  it('signs a user in through it, and is not reached while the proxy refuses', async () => {
    const proxy = await Proxy.start();
    signer.response = { claims: VERIFIED };

    const identity = await signInOf(false, proxy.settings).finish(RETURNED, PENDING);
    const { connects } = proxy;
    proxy.status = 407;
    const refused = await signInOf(false, proxy.settings).finish(RETURNED, PENDING);
    await proxy.stop();

    expect(identity).toMatchObject({ role: 'operator' });
    expect(connects).toContain(new URL(signer.issuer).host);
    expect([refused, JSON.parse(lines[0] ?? '{}')]).toEqual([
      'unreachable',
      expect.objectContaining({ reason: expect.stringContaining('Proxy response (407)') }),
    ]);
  });
});
