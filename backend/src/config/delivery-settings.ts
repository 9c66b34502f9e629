import { z } from 'zod';
import { CLIENT_IPS } from '../net/client-address.ts';
import {
  advanced,
  bytes,
  count,
  durationMs,
  listOf,
  pageOrigin,
  proxyUrl,
  secret,
  setting,
  urlPath,
} from './value-types.ts';

/** A smaller spool has no room for an envelope beside its tables. */
const MIN_SPOOL_BYTES = 2 ** 20;

/** Settings of the tunnel, the spool, the relay and outgoing requests; see settings.ts. */
export const DELIVERY_SETTINGS = {
  tunnelPath: setting('ERRATA_TUNNEL_PATH', urlPath, '/tunnel', 'Path that accepts envelopes from browsers.'),
  tunnelOrigins: setting(
    'ERRATA_TUNNEL_ORIGINS',
    listOf(pageOrigin),
    '',
    'Origins of other sites whose pages may post envelopes, for example https://app.example, comma-separated; apps in a web view and extensions have origins such as capacitor://localhost. `null` allows every page without an origin, such as sandboxed frames of any site. Without it only pages of this site may post, and programs, which send no Origin header.',
  ),
  addressRate: setting(
    'ERRATA_ADDRESS_RATE',
    count,
    '1200',
    'Envelopes per minute from one client address (IPv6: one /64), with a burst of 300; one with several events counts as that many. Above it envelopes without an error get 429; errors and feedback get 429 only above ten times the rate. The default is more than an office behind one address sends. Programs on the same machine have no limit, except at an address that ERRATA_TRUST_PROXY names.',
  ),
  envelopeMaxBytes: setting(
    'ERRATA_ENVELOPE_MAX_BYTES',
    bytes,
    '20MiB',
    "Maximum size of one decoded envelope. The SDK's replay buffer ends at 20 MB; a larger envelope is an attack or a mistake.",
  ),
  bodyMemoryBytes: setting(
    'ERRATA_BODY_MEMORY',
    bytes,
    '32MiB',
    'Memory for all request bodies in progress, charged as bytes arrive. A quarter is for bodies of at most 64 KiB only. 16 larger ones are read at once; others wait up to 10 s, then get 503. Without memory for its next bytes a larger one waits as long, and its client with it; one at a time goes on. One client network has a quarter of either part and 8 larger bodies; above it gets 429. Two of the 16 are for each network: one with more gives the youngest up after 10 s when another needs it.',
  ),
  clientIp: setting(
    'ERRATA_CLIENT_IP',
    z.enum(CLIENT_IPS, 'expected full, truncated or none'),
    'full',
    'Client address that is stored and forwarded: full, truncated (/24 or /48) or none.',
  ),
  spoolMaxBytes: setting(
    'ERRATA_SPOOL_MAX_BYTES',
    bytes.refine((size) => size >= MIN_SPOOL_BYTES, 'expected at least 1MiB, such as 512MiB'),
    '512MiB',
    'Maximum size of the spool on disk, at least 1 MiB. A small volume lowers it, after the store, to 32 MiB.',
  ),
  spoolMaxAgeMs: setting(
    'ERRATA_SPOOL_MAX_AGE',
    durationMs,
    '7d',
    'How long an error waits for its upstream. Services change the time of events older than about a week, or reject them. Check-ins wait 1 hour, all other data 24 hours.',
  ),
  upstreamConnections: setting(
    'ERRATA_UPSTREAM_CONNECTIONS',
    count,
    '512',
    'Most connections to one upstream, each with one request at a time. As many are used as its latency and the load need: usually below 64 for a nearby upstream, 400 for 4,000 envelopes a second at 100 ms. Open requests and deliveries without a record on disk are together at most as many; an upstream gets these envelopes twice when the process is killed.',
  ),
  relayMaxRate: setting(
    'ERRATA_RELAY_MAX_RATE',
    count,
    '200',
    'Envelopes per second to one upstream from the backlog of an outage. New envelopes are not limited.',
  ),
  scrub: setting(
    'ERRATA_SCRUB',
    z.enum(['store', 'all'], 'expected store or all'),
    'store',
    'Copies from which secrets are removed. store: the local store only; upstreams get unchanged bytes. all: upstreams too. With all, every JSON item is rewritten and truncated where it is very deep or long, and an item that should be JSON and is not, or has more than 4 MiB, 100 levels or 100,000 values, makes its envelope a dead letter. Attachments, replay recordings and profiles are forwarded unchanged: switch them off in the SDK where they may hold secrets.',
  ),
  httpsProxy: secret(
    'HTTPS_PROXY',
    proxyUrl,
    'Proxy for requests to https addresses (upstreams, alerts, OpenID Connect provider): `http://user:password@proxy.example:3128`. Each connection is a tunnel (CONNECT). This name and the next two count in lower case, too, where the other form is absent. Without it the value of HTTP_PROXY.',
  ),
  httpProxy: secret('HTTP_PROXY', proxyUrl, 'Proxy for requests to http addresses, also by CONNECT.'),
  noProxy: setting(
    'NO_PROXY',
    z.string(),
    '',
    'Hosts that are reached without the proxy, comma-separated: `upstream.example` (with its subdomains), `.example`, `127.0.0.1:8080`, or `*`. Networks such as 10.0.0.0/8 have no effect.',
  ),
  backoffMinMs: advanced(
    'ERRATA_BACKOFF_MIN',
    durationMs,
    '500ms',
    'Longest first pause after a failed delivery. It doubles with each failure; each pause is random between zero and this length (full jitter).',
  ),
  backoffMaxMs: advanced(
    'ERRATA_BACKOFF_MAX',
    durationMs,
    '60s',
    'Longest pause between two attempts: a recovered upstream is used again within a minute, one that refused everything within 10 seconds.',
  ),
  outageAfterMs: advanced(
    'ERRATA_OUTAGE_AFTER',
    durationMs,
    '10s',
    'Outage length after which the backlog is sent at a limited rate.',
  ),
  clientReportMs: advanced(
    'ERRATA_CLIENT_REPORT_INTERVAL',
    durationMs,
    '60s',
    'Interval between client reports to upstreams about dropped items.',
  ),
  upstreamHeadersTimeoutMs: advanced(
    'ERRATA_UPSTREAM_HEADERS_TIMEOUT',
    durationMs,
    '10s',
    'Timeout for the response headers of an upstream.',
  ),
  headersTimeoutMs: advanced(
    'ERRATA_HEADERS_TIMEOUT',
    durationMs,
    '10s',
    'Timeout for the headers of a request. It closes connections that send their headers byte by byte (Slowloris).',
  ),
} as const;
