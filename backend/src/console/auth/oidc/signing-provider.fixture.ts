import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { UserClaims } from './user-claims.ts';

const OWN = generateKeyPairSync('rsa', { modulusLength: 2048 });
const OTHER = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SECRET = 'a-client-secret-for-tests';

type Coding = 'identity' | 'gzip' | 'deflate' | 'br' | 'zstd';
const ENCODERS: Readonly<Record<Coding, (body: string) => Buffer>> = {
  identity: (body) => Buffer.from(body),
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body),
  zstd: (body) => zstdCompressSync(body),
};

/** The ID token and the user's claims that a provider responds with; each wrong part is a fault of the token. */
export interface ProviderResponse {
  readonly claims: UserClaims;
  readonly userinfo?: UserClaims;
  readonly signedBy?: 'its key' | 'another key' | 'the client secret';
}

/** A provider on loopback that signs any token, as an attacker or a wrong configuration may, and counts discoveries. */
export class SigningProvider {
  readonly issuer: string;
  discoveries = 0;
  isDown = false;
  /** Content coding of all its responses, also where the client has not asked for it. */
  coding: Coding = 'identity';
  /** Content codings that the clients have asked for. */
  readonly asked = new Set<unknown>();
  response: ProviderResponse = { claims: {} };
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async listen(): Promise<SigningProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const provider = new SigningProvider(server);
    server.on('request', ({ url = '', headers }, response) => {
      const { coding, asked, isDown } = provider;
      asked.add(headers['accept-encoding']);
      const body = provider.#bodyOf(url);
      const types = { 'content-type': 'application/json', 'content-encoding': coding };
      response.writeHead(isDown ? 503 : 200, types).end(ENCODERS[coding](JSON.stringify(body)));
    });
    return provider;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #bodyOf(url: string): unknown {
    if (url === '/token') return { access_token: 'a', token_type: 'bearer', id_token: this.#idToken() };
    if (url === '/userinfo') return { sub: 'u', ...this.response.userinfo };
    if (url === '/keys')
      return { keys: [{ ...OWN.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] };
    this.discoveries += 1;
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  #idToken(): string {
    const { claims, signedBy = 'its key' } = this.response;
    const nowS = Math.floor(Date.now() / 1000);
    const all = {
      iss: this.issuer,
      aud: 'errata',
      sub: 'u',
      nonce: 'n',
      iat: nowS,
      exp: nowS + 60,
      ...claims,
    };
    const text = `${encoded({ alg: signedBy === 'the client secret' ? 'HS256' : 'RS256' })}.${encoded(all)}`;
    if (signedBy === 'the client secret')
      return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
    return `${text}.${signed(text, signedBy === 'its key' ? OWN.privateKey : OTHER.privateKey)}`;
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signed(text: string, key: KeyObject): string {
  return sign('RSA-SHA256', Buffer.from(text), key).toString('base64url');
}
