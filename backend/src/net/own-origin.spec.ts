import { Clients } from './client-address.ts';
import { isOwnOrigin, knownHost } from './own-origin.ts';

const PROXY = '10.0.0.2';
const network = { trustProxy: ['10.0.0.0/8'], publishedOnLoopback: false };
const { isTrusted } = new Clients(network, { warn: () => {} });
const BEHIND_PROXY = {
  host: 'errata-svc:3000',
  'x-forwarded-host': 'errata.example',
  origin: 'https://errata.example',
};

it.each<[string, string, Record<string, string>, boolean]>([
  ['its host', '8.8.8.8', { host: 'errata.example', origin: 'https://errata.example' }, true],
  ['its host in capitals', '8.8.8.8', { host: 'Errata.Example', origin: 'https://errata.example' }, true],
  [
    'its host and port',
    '8.8.8.8',
    { host: 'errata.example:8443', origin: 'https://errata.example:8443' },
    true,
  ],
  ['the default port', '8.8.8.8', { host: 'errata.example:443', origin: 'https://errata.example' }, true],
  ['its IPv6 address', '8.8.8.8', { host: '[::1]:3000', origin: 'http://[::1]:3000' }, true],
  ['the host that a proxy forwards', PROXY, BEHIND_PROXY, true],
  [
    'the host of the first of two proxies',
    PROXY,
    { ...BEHIND_PROXY, 'x-forwarded-host': 'Errata.example, inner' },
    true,
  ],
  [
    'a port that a proxy forwards',
    PROXY,
    { ...BEHIND_PROXY, 'x-forwarded-host': 'errata.example:443' },
    true,
  ],
  ['the host that an untrusted peer forwards', '8.8.8.8', BEHIND_PROXY, false],
  ['the inner host behind a proxy', PROXY, { ...BEHIND_PROXY, origin: 'http://errata-svc:3000' }, false],
  ['another host', '8.8.8.8', { host: 'errata.example', origin: 'https://evil.example' }, false],
  ['another port', '8.8.8.8', { host: 'errata.example', origin: 'https://errata.example:8443' }, false],
  ['no origin of a page', '8.8.8.8', { host: 'errata.example', origin: 'null' }, false],
  ['an origin without host', '8.8.8.8', { host: '', origin: 'file://' }, false],
  ['no origin', '8.8.8.8', { host: 'errata.example' }, false],
  ['no valid host', '8.8.8.8', { host: 'errata.example:99999', origin: 'https://errata.example' }, false],
])('compares the Origin with %s', (_, remoteAddress, headers, isOwn) => {
  expect(isOwnOrigin({ headers, socket: { remoteAddress } }, isTrusted)).toBe(isOwn);
});

it.each<[string, string, Record<string, string>, string | null]>([
  ['Host', '8.8.8.8', { host: 'shop.example:8443' }, 'shop.example:8443'],
  ['what a proxy forwards', PROXY, BEHIND_PROXY, 'errata.example'],
  [
    'the own origin of a page, behind a proxy that replaces Host',
    PROXY,
    { host: 'errata-svc:3000', origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' },
    'shop.example',
  ],
  [
    'Host for a page of another origin',
    '8.8.8.8',
    { host: 'shop.example', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    'shop.example',
  ],
  ['nothing without Host', '8.8.8.8', {}, null],
])('knows the host by %s', (_name, remoteAddress, headers, host) => {
  expect(knownHost({ headers, socket: { remoteAddress } }, isTrusted)).toBe(host);
});
