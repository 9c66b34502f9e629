import { setting } from './setting.ts';
import { bytes, count, durationMs, listOf, origin } from './value-types.ts';

/** Who may post envelopes, how many, and how much memory they may take on their way in; see settings.ts. */
export const TUNNEL_SETTINGS = {
  compressedMaxBytes: setting(
    'ERRATA_COMPRESSED_MAX_BYTES',
    bytes,
    '10MiB',
    'Largest envelope as it is sent, where it is compressed; half of what it may be decoded, as text packs to far less.',
  ),
  reportMaxBytes: setting(
    'ERRATA_REPORT_MAX_BYTES',
    bytes,
    '256KiB',
    'Largest batch of browser reports on /reports; Chromium sends 100 at most, of 1 to 2 KiB each. They are the only bodies that are parsed whole before the answer.',
  ),
  tunnelOrigins: setting(
    'ERRATA_TUNNEL_ORIGINS',
    listOf(origin),
    '',
    'Origins of other sites whose pages may post here, such as https://app.example, comma-separated. Without it only pages of this site may, and programs, which send no Origin.',
  ),
  addressRate: setting(
    'ERRATA_ADDRESS_RATE',
    count,
    '1200',
    'Envelopes a minute from one address (IPv6: one /64) before those without an error get 429; errors and feedback only above ten times as many. An office behind one address sends less. Not for loopback and the proxies of ERRATA_TRUST_PROXY.',
  ),
  addressBurst: setting(
    'ERRATA_ADDRESS_BURST',
    count,
    '300',
    'Envelopes from one address at once: a page that loads sends about ten, so that 30 pages may load together.',
  ),
  bodyMemoryBytes: setting(
    'ERRATA_BODY_MEMORY',
    bytes,
    '32MiB',
    'Memory of all bodies under way together, reserved before they are read; above it senders wait, then get 503. As much as the spool lets wait for the disk.',
  ),
  bodyMemoryWaitMs: setting(
    'ERRATA_BODY_MEMORY_WAIT',
    durationMs,
    '10s',
    'How long a body over 64 KiB waits for room in ERRATA_BODY_MEMORY before its sender is told 503: time for the large ones before it to come in over slow lines. Smaller ones do not wait behind it.',
  ),
  bodyQueue: setting(
    'ERRATA_BODY_QUEUE',
    count,
    '256',
    'Bodies that may wait for room at once; each has up to 64 KiB in the buffer of its socket, together 16 MiB.',
  ),
  largeBodies: setting(
    'ERRATA_LARGE_BODIES',
    count,
    '16',
    'Bodies over 1 MiB read at once; half of ERRATA_BODY_MEMORY at that size, so that small ones always find room.',
  ),
  maxConnections: setting(
    'ERRATA_MAX_CONNECTIONS',
    count,
    '10000',
    'Connections open at once; further ones are closed as they come. Each takes a file descriptor and a few KiB.',
  ),
  headersMaxBytes: setting(
    'ERRATA_HEADERS_MAX_BYTES',
    bytes,
    '16KiB',
    "Largest head of a request, 431 above it. Node's own default: cookies of 8 KiB and a long Referer fit.",
  ),
} as const;
