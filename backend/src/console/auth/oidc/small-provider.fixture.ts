import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Provider } from 'oidc-provider';
import { muteWarnings } from '../../../telemetry/muted-warnings.fixture.ts';
import type { UserClaims } from './user-claims.ts';

export const CLIENT_ID = 'errata';
export const CLIENT_SECRET = 'a-client-secret-for-tests';

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });

// It warns of releases of Node without long-term support, and of its store in memory: neither matters to a test.
const restoreConsole = muteWarnings('oidc-provider WARNING');
const oidc = await import('oidc-provider');
restoreConsole();

/** The provider's users, by their account. */
export type People = Readonly<Record<string, UserClaims>>;

/**
 * A real OpenID Connect provider on loopback. Its sign-in is a form with the name of an account; it returns claims at the
 * userinfo endpoint, as the standard requires for the code flow, and those of `idTokens` in the ID token.
 *
 * It is `localhost`, where Errata is `127.0.0.1`: another site for the browser, like a real provider.
 */
export class SmallProvider {
  readonly issuer: string;
  readonly #server: Server;
  readonly #people: People;
  readonly #idTokens: People;
  #provider: Provider | undefined;

  private constructor(server: Server, people: People, idTokens: People) {
    this.#server = server;
    this.#people = people;
    this.#idTokens = idTokens;
    this.issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  /** Listens, and responds 503 until {@link serve} has set its client. */
  static async listen(people: People, idTokens: People = {}): Promise<SmallProvider> {
    const server = createServer();
    server.listen(0, 'localhost');
    await once(server, 'listening');
    const provider = new SmallProvider(server, people, idTokens);
    server.on('request', (request, response) => void provider.#respond(request, response));
    return provider;
  }

  /** Starts to sign users in for a client with this return URL. */
  serve(returnUrl: string): void {
    const restore = muteWarnings('oidc-provider WARNING: a quick start');
    this.#provider = new oidc.Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [returnUrl],
          id_token_signed_response_alg: 'RS256',
        },
      ],
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      cookies: { keys: ['a-key-for-the-cookies-of-tests'] },
      features: { devInteractions: { enabled: false } },
      jwks: { keys: [KEY] },
      // Said, so that it does not warn of its defaults.
      ttl: {
        AccessToken: 60,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 60,
        Interaction: 600,
        Session: 600,
      },
      findAccount: (_, id) => ({
        accountId: id,
        claims: (use) => ({ sub: id, ...(use === 'id_token' ? this.#idTokens[id] : this.#people[id]) }),
      }),
      interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
      // Users need not consent: provider and Errata belong to one organisation.
      loadExistingGrant: async ({ oidc: { provider, client, session } }) => {
        const grant = new provider.Grant({
          clientId: client?.clientId ?? '',
          accountId: session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    restore();
  }

  /** Responds 503 to every request from now on. */
  fail(): void {
    this.#provider = undefined;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#provider === undefined) {
      response.writeHead(503).end();
      return;
    }
    if (!request.url?.startsWith('/sign-in/')) {
      await this.#provider.callback()(request, response);
      return;
    }
    if (request.method === 'POST') await this.#signIn(this.#provider, request, response);
    else response.setHeader('content-type', 'text/html').end(FORM);
  }

  async #signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const account = new URLSearchParams(await text(request)).get('account') ?? '';
    const result =
      account in this.#people
        ? { login: { accountId: account } }
        : { error: 'access_denied', error_description: 'there is no such account' };
    await provider.interactionFinished(request, response, result);
  }
}

const FORM = `<!doctype html><title>Sign in at the provider</title>
<form method="post"><label>Account <input name="account"></label><button>Sign in</button></form>`;
