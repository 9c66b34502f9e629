import * as client from 'openid-client';
import type { SignInProblem } from '../../../contract/access-api.ts';
import type { EgressProxy } from '../../../net/outgoing.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import { providerFetch } from './provider-fetch.ts';
import { claimAt, type ClaimSources, type UserClaims } from './user-claims.ts';
import { HOUR_MS } from '../../../time/iso.ts';

export interface IdentityProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  readonly scope: string;
  /** Claims to read from the userinfo endpoint when the ID token lacks one of them. */
  readonly wanted: readonly string[];
  readonly proxy: EgressProxy;
}

/** A sign-in that has started: the URL to redirect the browser to, and the values to keep until it comes back. */
export interface Redirection {
  readonly url: URL;
  readonly pending: Omit<PendingSignIn, 'to'>;
}

/** The user's claims, or the reason why the provider gave none. */
export type ProviderResult =
  | { readonly outcome: 'known'; readonly claims: ClaimSources }
  | {
      readonly outcome: SignInProblem;
      readonly cause: unknown;
      /** What the provider responded, or which check its response failed; for the log. */
      readonly reason: string;
    };

/** The provider's configuration, or the failure to read it. */
interface KnownConfiguration {
  readonly configuration: Promise<client.Configuration>;
  sinceMs: number;
  maxAgeMs: number;
}

/** For each request to the provider; the user sees a white page meanwhile. */
const TIMEOUT_S = 5;
/** The provider's configuration is read again after this time, because its endpoints may have moved. */
const CONFIGURATION_MAX_AGE_MS = HOUR_MS;
/** A failed read of the configuration counts for this time, so that sign-ins do not flood a provider that is down. */
const FAILURE_MAX_AGE_MS = 5_000;
/** Two clocks that use NTP differ by less. */
const CLOCK_TOLERANCE_S = 30;

/**
 * An OpenID Connect provider: authorization code flow with PKCE, state and nonce; the ID token's signature is checked
 * against the provider's keys. The provider's configuration is read at the first sign-in and again 5 s after a failure,
 * not at start: a provider that is down must stop neither the start nor the sign-in by token.
 *
 * @see https://openid.net/specs/openid-connect-core-1_0.html
 * @see https://www.rfc-editor.org/rfc/rfc9700.html Best current practice for OAuth 2.0 security
 */
export class IdentityProvider {
  readonly #options: IdentityProviderOptions;
  readonly #now: () => number;
  #known: KnownConfiguration | undefined;

  constructor(options: IdentityProviderOptions, now: () => number = Date.now) {
    this.#options = options;
    this.#now = now;
  }

  /** @throws when the provider's configuration cannot be read. */
  async start(returnUrl: URL): Promise<Redirection> {
    const configuration = await this.#configuration();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const verifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: returnUrl.href,
      scope: this.#options.scope,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { url, pending: { state, nonce, verifier, beganAtMs: this.#now() } };
  }

  /** Exchanges the code for the user's claims. @param returned URL of the return path, with the provider's response. */
  async finish(returned: URL, { state, nonce, verifier }: PendingSignIn): Promise<ProviderResult> {
    try {
      const configuration = await this.#configuration();
      const tokens = await client.authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims: UserClaims = { ...tokens.claims() };
      return { outcome: 'known', claims: await this.#completed(configuration, tokens.access_token, claims) };
    } catch (cause) {
      return { outcome: problemOf(cause), cause, reason: reasonOf(cause) };
    }
  }

  /** Many providers keep ID tokens small; the userinfo endpoint has the other claims. Its response is a source apart. */
  async #completed(
    configuration: client.Configuration,
    accessToken: string,
    claims: UserClaims,
  ): Promise<ClaimSources> {
    const isComplete = this.#options.wanted.every((name) => claimAt(claims, name) !== undefined);
    const subject = claims['sub'];
    if (isComplete || typeof subject !== 'string') return [claims];
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return [claims];
    return [claims, await client.fetchUserInfo(configuration, accessToken, subject)];
  }

  #configuration(): Promise<client.Configuration> {
    const nowMs = this.#now();
    // The clock may be set back.
    if (this.#known !== undefined && Math.abs(nowMs - this.#known.sinceMs) < this.#known.maxAgeMs)
      return this.#known.configuration;
    const configuration = discover(this.#options);
    const known: KnownConfiguration = { configuration, sinceMs: nowMs, maxAgeMs: CONFIGURATION_MAX_AGE_MS };
    this.#known = known;
    configuration.catch(() => {
      known.sinceMs = this.#now();
      known.maxAgeMs = FAILURE_MAX_AGE_MS;
    });
    return configuration;
  }
}

function discover({
  issuer,
  clientId,
  clientSecret,
  proxy,
}: IdentityProviderOptions): Promise<client.Configuration> {
  const server = new URL(issuer);
  // The settings accept plain HTTP only for loopback addresses.
  const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  return client.discovery(
    server,
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE_S },
    clientSecret === null ? client.None() : secretAuth(clientSecret),
    {
      timeout: TIMEOUT_S,
      execute: [client.enableNonRepudiationChecks, ...insecure],
      [client.customFetch]: providerFetch(proxy),
    },
  );
}

/** Sends the secret in the header, the default of OpenID Connect Core, section 9; in the body if the provider wants it. */
function secretAuth(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const auth = methods.includes('client_secret_basic') ? basic : post;
    return auth(server, metadata, body, headers);
  };
}

/** Errors that the library makes of a response. */
const CHECKED = [client.ClientError, client.ResponseBodyError, client.WWWAuthenticateChallengeError];
/** Codes of failures before there was a response that could be checked: network, timeout, status, page of a proxy. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

function problemOf(error: unknown): SignInProblem {
  if (error instanceof client.AuthorizationResponseError) return 'denied';
  // A code is valid once, for about a minute.
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return 'expired';
  const isResponse = CHECKED.some((each) => error instanceof each);
  return isResponse && !UNREACHABLE.has(Reflect.get(Object(error), 'code')) ? 'rejected' : 'unreachable';
}

/** Returns the provider's error code, or the message of the innermost cause, such as `unexpected JWT "aud" claim value`. */
function reasonOf(error: unknown): string {
  if (error instanceof client.ResponseBodyError) return error.error;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
