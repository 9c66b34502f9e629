import { envelopeOf, eventEnvelope, PROJECT, RECEIVED_MS, serverEvent } from '../test/envelopes.fixture.ts';
import { NO_SENDER } from '../../sink/queued-envelope.ts';
import { packForStore, unpackForStore } from './store-envelope.ts';

const EVENT = serverEvent(1);
const FEEDBACK = { comments: 'It broke.' };

describe('envelopes packed for the store', () => {
  it('contain the items for the store, each with its own payload', () => {
    const sender = {
      ...NO_SENDER,
      address: '2001:db8:1:2::3',
      userAgent: 'a browser',
      sdk: 'raven-js/3.27.2',
      host: 'shop.example',
    };
    const batch = [
      eventEnvelope(EVENT, { eventId: 'a'.repeat(32), source: 'own' }),
      envelopeOf([{ type: 'session', payload: {} }], { receivedAtMs: RECEIVED_MS + 1 }),
      envelopeOf(
        [
          { type: 'user_report', payload: FEEDBACK },
          { type: 'attachment', payload: 'bytes' },
          { type: 'event', payload: EVENT },
        ],
        { sender, header: Buffer.from('{"sdk":{"sent_at":"no"},"sent_at":"2026-11-21T12:30:00Z"}') },
      ),
    ];

    const unpacked = unpackForStore(packForStore(batch));

    const shown = unpacked.map(({ items, ...facts }) => ({
      ...facts,
      items: items?.map(({ type, payload }) => [type, JSON.parse(Buffer.from(payload).toString())]),
    }));
    const facts = {
      project: PROJECT,
      source: 'tunnel',
      eventId: null,
      network: null,
      userAgent: null,
      sdk: null,
      host: null,
      sentAt: null,
    };
    expect(shown).toEqual([
      {
        ...facts,
        source: 'own',
        eventId: 'a'.repeat(32),
        receivedAtMs: RECEIVED_MS,
        items: [['event', EVENT]],
      },
      { ...facts, receivedAtMs: RECEIVED_MS + 1, items: [] },
      {
        ...facts,
        network: '2001:db8:1::',
        userAgent: 'a browser',
        sdk: 'raven-js/3.27.2',
        host: 'shop.example',
        sentAt: '2026-11-21T12:30:00Z',
        receivedAtMs: RECEIVED_MS,
        items: [
          ['user_report', FEEDBACK],
          ['event', EVENT],
        ],
      },
    ]);
  });

  it('contain release and environment of a browser report, and a minidump without its bytes', () => {
    const item = (header: object, payload: string) => `${JSON.stringify(header)}\n${payload}\n`;
    const items = Buffer.from(
      item({ type: 'raw_security', sentry_release: 'é@1', sentry_environment: 7 }, '{"n":1}') +
        item({ type: 'event', sentry_release: 'not read' }, '{"n":2}') +
        item({ type: 'attachment', attachment_type: 'event.minidump' }, 'MDMP') +
        item({ sentry_environment: 'staging', type: 'nel' }, '{"n":3}') +
        '{"type":"nel"}',
    );

    const [unpacked] = unpackForStore(packForStore([{ ...eventEnvelope(EVENT), items }]));

    expect(unpacked?.items?.map((one) => ({ ...one, payload: Buffer.from(one.payload).toString() }))).toEqual(
      [
        { type: 'raw_security', release: 'é@1', environment: null, payload: '{"n":1}' },
        { type: 'event', release: null, environment: null, payload: '{"n":2}' },
        { type: 'attachment', release: null, environment: null, payload: '' },
        { type: 'nel', release: null, environment: 'staging', payload: '{"n":3}' },
        { type: 'nel', release: null, environment: null, payload: '' },
      ],
    );
  });

  it('mark an envelope with unreadable items, and keep the others', () => {
    const broken = { ...eventEnvelope(EVENT), items: Buffer.from('no item header\n') };

    const unpacked = unpackForStore(packForStore([broken, eventEnvelope(EVENT)]));

    expect(unpacked.map(({ items }) => items?.length ?? null)).toEqual([null, 1]);
  });
});
