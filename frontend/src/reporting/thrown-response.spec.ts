import { thrownResponse } from './thrown-response.ts';

/** As React Router passes a thrown response on. */
function routerError(status: number, statusText: string, data: unknown, internal = false): object {
  return { status, statusText, internal, data };
}

it.each<[string, unknown, string]>([
  ['status and text', routerError(403, 'Forbidden', ''), '403 Forbidden'],
  ['the response’s text', routerError(503, '', 'no stock\n'), '503: no stock'],
  ['its data', routerError(500, 'Server Error', { code: 'E7' }), '500 Server Error: {"code":"E7"}'],
  ['no long text', routerError(500, '', 'x'.repeat(201)), '500'],
  ['no data that cannot be written', routerError(500, '', 1n), '500'],
  ['no data at all', routerError(500, '', null), '500'],
  ['a Response itself', new Response('', { status: 410, statusText: 'Gone' }), '410 Gone'],
])('names %s', (_name, thrown, message) => {
  expect(thrownResponse(thrown)?.error).toMatchObject({ name: 'ErrorResponse', message, stack: '' });
});

it.each<[boolean, string, unknown]>([
  [true, 'a 4xx of the application', routerError(403, '', '')],
  [true, 'the router’s word for an unknown path', routerError(404, '', '', true)],
  [false, 'the router’s word for a missing action', routerError(405, '', '', true)],
  [false, 'a 5xx', routerError(500, '', '')],
  [false, 'a redirect', routerError(302, '', '')],
])('is a refusal (%s): %s', (isRefusal, _name, thrown) => {
  expect(thrownResponse(thrown)).toMatchObject({ isRefusal });
});

it.each([
  [new Error('failed')],
  [{ status: 403 }],
  [{ status: 403, statusText: 'Forbidden', config: {} }],
  [{ status: '403', statusText: '', ok: false }],
  ['403'],
  [null],
])('is no other value: %p', (thrown) => {
  expect(thrownResponse(thrown)).toBeNull();
});
