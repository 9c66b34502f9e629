import type { IncomingMessage } from 'node:http';
import type { SenderMeta } from '../sink/queued-envelope.ts';

/** Longest header value kept; longer ones are cut, as an upstream would refuse them. */
const MAX_VALUE_LENGTH = 1_024;

const NO_HINTS: Readonly<Record<string, string>> = {};

/** What is kept of the sender: a fixed set (protocol H16); its cookies and its authorization are not in it (H13). */
export function senderOf({ headers }: IncomingMessage, address: string | null): SenderMeta {
  return {
    address,
    userAgent: cut(headers['user-agent']),
    origin: cut(headers.origin),
    referer: cut(headers.referer),
    sdk: null,
    clientHints: headers['sec-ch-ua'] === undefined ? NO_HINTS : clientHintsOf(headers),
  };
}

function clientHintsOf(headers: IncomingMessage['headers']): Readonly<Record<string, string>> {
  const hints: Record<string, string> = {};
  for (const name of ['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform']) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') hints[name] = value.slice(0, MAX_VALUE_LENGTH);
  }
  return hints;
}

function cut(value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  return value.length > MAX_VALUE_LENGTH ? value.slice(0, MAX_VALUE_LENGTH) : value;
}
