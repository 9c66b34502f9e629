import { ConsoleServer } from '../console-server.fixture.ts';

const BEHIND_PROXY = { 'x-forwarded-host': 'errata.example', 'x-forwarded-proto': 'https' };

/** Signs out from a page of this origin in a browser without Sec-Fetch-Site. Returns the status. */
async function signOut(environment: Record<string, string>, headers: Record<string, string>) {
  const server = await ConsoleServer.start(environment);
  try {
    const response = await fetch(`${server.url}/console/api/session`, { method: 'DELETE', headers });
    return response.status;
  } finally {
    await server.close();
  }
}

it.each<[string, string, Record<string, string>, number]>([
  [
    'a page of the host that a trusted proxy forwards',
    '127.0.0.1',
    { origin: 'https://errata.example' },
    200,
  ],
  ['a page of another host', '127.0.0.1', { origin: 'https://evil.example' }, 403],
  ['a page of the host that an untrusted peer forwards', '', { origin: 'https://errata.example' }, 403],
  [
    'a cross-site page of a browser that says so',
    '127.0.0.1',
    { origin: 'https://errata.example', 'sec-fetch-site': 'cross-site' },
    403,
  ],
])('lets in or refuses %s', async (_page, proxies, headers, status) => {
  expect(await signOut({ ERRATA_TRUST_PROXY: proxies }, { ...BEHIND_PROXY, ...headers })).toBe(status);
});
