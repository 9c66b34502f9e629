import * as client from 'openid-client';
import type { SignInProblem } from '../../../contract/access-api.ts';
import type { Claims } from './role-mapping.ts';
import type { HeldSignIn } from './pending-sign-in.ts';

export interface IdentityProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
  readonly scope: string;
  /** Claims that are asked of the userinfo endpoint where the ID token has none of them. */
  readonly wanted: readonly string[];
}

/** A sign-in that has begun: where to send the browser, and what to keep until it comes back. */
export interface Departure {
  readonly url: URL;
  readonly held: Omit<HeldSignIn, 'to'>;
}

/** The provider said who it is, or why that is not known. */
export type Arrival =
  | { readonly outcome: 'known'; readonly claims: Claims }
  | { readonly outcome: SignInProblem; readonly cause: unknown };

/** For each request; somebody waits in front of a white page. */
const TIMEOUT_S = 5;
/** What is known of the provider is asked again after this: it may have moved its endpoints. */
const KNOWN_FOR_MS = 3_600_000;
/** Two clocks that are set by the network differ by less. */
const CLOCK_TOLERANCE_S = 30;

/**
 * A provider of OpenID Connect: authorization code flow with PKCE, state and nonce; the ID token's signature is checked
 * against the provider's keys. It is asked about itself at the first sign-in and not at start, and again after a
 * failure: a provider that is down stops neither the start nor the sign-in by token.
 *
 * @see https://openid.net/specs/openid-connect-core-1_0.html
 * @see https://www.rfc-editor.org/rfc/rfc9700.html Best current practice for OAuth 2.0 security
 */
export class IdentityProvider {
  readonly #options: IdentityProviderOptions;
  readonly #now: () => number;
  #known: { readonly configuration: Promise<client.Configuration>; readonly sinceMs: number } | undefined;

  constructor(options: IdentityProviderOptions, now: () => number = Date.now) {
    this.#options = options;
    this.#now = now;
  }

  /** @throws when the provider cannot be asked about itself. */
  async depart(returnUrl: URL): Promise<Departure> {
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
    return { url, held: { state, nonce, verifier, beganAtMs: this.#now() } };
  }

  /** @param returned the address the browser came back to, the provider's answer in its query. */
  async arrive(returned: URL, { state, nonce, verifier }: HeldSignIn): Promise<Arrival> {
    try {
      const configuration = await this.#configuration();
      const tokens = await client.authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims: Claims = { ...tokens.claims() };
      return { outcome: 'known', claims: await this.#completed(configuration, tokens.access_token, claims) };
    } catch (cause) {
      return { outcome: problemOf(cause), cause };
    }
  }

  /** Many providers keep ID tokens small, and say the rest to who asks. */
  async #completed(
    configuration: client.Configuration,
    accessToken: string,
    claims: Claims,
  ): Promise<Claims> {
    const isComplete = this.#options.wanted.every((name) => claims[name] !== undefined);
    const subject = claims['sub'];
    if (isComplete || typeof subject !== 'string') return claims;
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await client.fetchUserInfo(configuration, accessToken, subject)), ...claims };
  }

  #configuration(): Promise<client.Configuration> {
    const nowMs = this.#now();
    if (this.#known !== undefined && nowMs - this.#known.sinceMs < KNOWN_FOR_MS)
      return this.#known.configuration;
    const known = { configuration: discover(this.#options), sinceMs: nowMs };
    this.#known = known;
    known.configuration.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.configuration;
  }
}

function discover({
  issuer,
  clientId,
  clientSecret,
}: IdentityProviderOptions): Promise<client.Configuration> {
  const server = new URL(issuer);
  // The settings take plain http on loopback addresses only.
  const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  return client.discovery(
    server,
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE_S },
    clientSecret === null ? client.None() : secretAuth(clientSecret),
    { timeout: TIMEOUT_S, execute: [client.enableNonRepudiationChecks, ...insecure] },
  );
}

/** In the header, which every provider must take where it says nothing else (OpenID Connect Core, section 9). */
function secretAuth(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const auth = methods.includes('client_secret_basic') ? basic : post;
    return auth(server, metadata, body, headers);
  };
}

function problemOf(error: unknown): SignInProblem {
  if (error instanceof client.AuthorizationResponseError) return 'refused';
  // A code is good once and for a minute or so.
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return 'expired';
  return 'unreachable';
}
