import type { Event } from '@sentry/react';
import { render, waitFor } from '@testing-library/react';
import { recordConsole } from './errors/recorded-console.fixture.ts';
import { ErrorPage, reportError, startReporting } from './react-package.tsx';

const DSN = 'https://key@errata.example/1';

/** Events that arrive at the tunnel, in order. */
const arrived: Event[] = [];

beforeAll(() => {
  window.fetch = async (_url, { body } = {}) => {
    const [, , event] = new TextDecoder().decode(body as Uint8Array).split('\n');
    arrived.push(JSON.parse(event ?? ''));
    return new Response('{}');
  };
});

afterEach(() => arrived.splice(0));

/** Not an error event: the test runner listens to these. A string, because an error object has one event ID anyway. */
function reject(reason: string): void {
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
}

it('reports an error once after a second start, before and after the SDK is loaded', async () => {
  startReporting({ dsn: DSN, release: 'first' });
  reject('between the starts');
  startReporting({ dsn: DSN, release: 'second' });
  reject('before the SDK');
  await waitFor(() => expect(arrived).toHaveLength(2));
  reject('after the SDK');
  await waitFor(() => expect(arrived).toHaveLength(3));

  expect(arrived.map(({ message }) => message)).toEqual([
    'between the starts',
    'before the SDK',
    'after the SDK',
  ]);
  expect(arrived.map(({ release }) => release)).toEqual(['second', 'second', 'second']);
});

it('sends to where the last start says, also when an earlier one was connected', async () => {
  startReporting({ dsn: DSN, release: 'third' });
  reject('late');
  await waitFor(() => expect(arrived).toHaveLength(1));

  expect(arrived).toMatchObject([{ message: 'late', release: 'third' }]);
});

it.each([
  ['a boundary', { componentStack: '\n    at Cart' }],
  ['React Router', { errorInfo: { componentStack: '\n    at Cart' } }],
])('reports what %s has caught, and no response of 4xx', async (where, info) => {
  recordConsole();
  startReporting({ dsn: DSN });
  reportError({ status: 404, statusText: 'Not Found', internal: true, data: '' }, info);
  reportError({ status: 403, statusText: '', internal: false, data: '' }, info);
  reportError(new RangeError(where), info);
  await waitFor(() => expect(arrived).toHaveLength(1));

  expect(arrived).toMatchObject([
    { exception: { values: [{ value: where }] }, contexts: { react: { componentStack: '\n    at Cart' } } },
  ]);
});

it('reports a lost file of a catch block at once, and one that a router has caught if the page is not reloaded', async () => {
  recordConsole();
  startReporting({ dsn: DSN });
  reportError(new TypeError('Importing a module script failed.'), { componentStack: '' });
  reportError(new TypeError('Unable to preload CSS for /cart.css'));
  reportError(new RangeError('the last one'));
  await waitFor(() => expect(arrived).toHaveLength(2));

  expect(arrived.map(({ exception }) => exception?.values?.[0]?.value)).toEqual([
    'Unable to preload CSS for /cart.css',
    'the last one',
  ]);
});

it('shows and reports the error of an error element', async () => {
  recordConsole();
  const { container } = render(<ErrorPage error={new RangeError('in a loader')} />);
  await waitFor(() => expect(arrived).toHaveLength(1));

  expect(container).toHaveTextContent(/^Application error: a client-side exception has occurred/);
  expect(arrived).toMatchObject([{ exception: { values: [{ value: 'in a loader' }] } }]);
});
