import { renewSentAt } from './sent-at.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');

function renewed(text: string): string {
  return new TextDecoder().decode(renewSentAt(new TextEncoder().encode(text), NOW_MS));
}

it('writes the present time into the header line and leaves all else as it is', () => {
  const rest = '"dsn":"https://key@host/1","trace":{"a":"é"}}\n{"type":"event"}\n{"sent_at":"mine"}';

  expect(renewed(`{"event_id":"1","sent_at":"2026-11-20T10:00:00.000Z",${rest}`)).toBe(
    `{"event_id":"1","sent_at":"2026-11-21T12:00:00.000Z",${rest}`,
  );
});

it('leaves bytes that are no text as they are', () => {
  const head = new TextEncoder().encode('{"sent_at":"x"}\n{"type":"attachment","length":2}\n');
  const envelope = Uint8Array.from([...head, 0xff, 0x00]);

  expect(Array.from(renewSentAt(envelope, NOW_MS).slice(-2))).toEqual([0xff, 0x00]);
});

it.each([
  ['has no sent_at', '{"dsn":"d"}\n{"type":"client_report"}\n{}'],
  ['is no JSON', 'not JSON\n{}'],
  ['is no object', 'null\n{}'],
])('changes nothing where the header %s', (_name, text) => {
  expect(renewed(text)).toBe(text);
});

it('renews a header that is all there is', () => {
  expect(renewed('{"sent_at":"x"}')).toBe('{"sent_at":"2026-11-21T12:00:00.000Z"}');
});
