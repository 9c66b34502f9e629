import { envelopeOf, type EventBody, eventIdOf } from './envelopes.fixture.ts';

/** What browsers report by themselves. */

export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

const BODY = {
  documentURL: 'https://shop.example/orders/4711?token=hunter2',
  effectiveDirective: 'script-src-elem',
  blockedURL: 'https://evil.example/x.js?sid=hunter2',
  sourceFile: 'https://shop.example/assets/index-ab12CD34.js?key=hunter2',
  lineNumber: 3,
  columnNumber: 7,
  statusCode: 200,
  sample: 'send("password=hunter2")',
  disposition: 'enforce',
  originalPolicy: "default-src 'self'",
};

/** A violation as the Reporting API sends it; `age` in ms. */
export function violation(changes: EventBody = {}, age = 2_000): EventBody {
  const body = { ...BODY, ...changes };
  return { type: 'csp-violation', age, url: body.documentURL, user_agent: USER_AGENT, body };
}

/** The like as `report-uri` sends it, of another order and build. */
export function legacy(changes: EventBody = {}): EventBody {
  const report = {
    'document-uri': 'https://shop.example/orders/12',
    'violated-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example',
    'source-file': 'https://shop.example/assets/index-xY98zW76.js',
    'line-number': 99,
    ...changes,
  };
  return { 'csp-report': report };
}

/** The envelope of one POST to /reports. */
export function posted(number: number, ...reports: readonly EventBody[]) {
  const items = reports.map((payload) => ({ type: 'raw_security', payload }));
  return envelopeOf(items, { eventId: eventIdOf(number), class: 2, lifetime: 'other' });
}
