import type { Fields } from '../../digest/fields.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import { readEnvelope } from '../ingest/read-envelope.ts';
import { KNOWN_EVENTS } from '../reading/known-events.fixture.ts';

const mapper = new SourceMapper(() => Promise.resolve(undefined));
const options = { maps: { mapper, idsOf: () => [] }, own: { root: '', mapper }, spool: null };

async function digestOfEvent(event: Fields): Promise<string | undefined> {
  const payload = Buffer.from(JSON.stringify(event));
  const { events } = await readEnvelope(
    {
      project: 'https://key@errors.example/1',
      source: 'tunnel',
      receivedAtMs: 0,
      eventId: null,
      userAgent: null,
      sdk: null,
      sentAt: null,
      items: [{ type: 'event', payload, release: null, environment: null }],
    },
    options,
  );
  return events[0]?.digest.shown;
}

describe('eventDigest', () => {
  // People hold these digests: another value is a break, whatever the reason.
  it.each([
    ['a Node error', 'S52Z-Y70Y'],
    ['a Node error with a cause', 'XV1F-X66Z'],
    ['a Node error with a cause without ids', 'G5AA-ER85'],
    ['a Node error without own frames', 'QY2M-R2J8'],
    ['a Node message', '5Z25-BS5R'],
    ['a Node log entry', 'VK5F-TSVJ'],
    ['a Node message with a stack', '1E32-GVM8'],
    ['a Node event without anything', 'VBQP-8HD4'],
    ['a page’s error', 'BGF3-GNA7'],
    ['a page’s error with a cause', 'R7WV-PZC8'],
    ['a page’s message', 'QZCR-N5S1'],
  ])('is for %s what it always was', async (name, digest) => {
    expect(await digestOfEvent(KNOWN_EVENTS[name] ?? {})).toBe(digest);
  });
});
