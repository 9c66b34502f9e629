import { STATUS_CODES } from 'node:http';
import {
  ConflictException,
  HttpException,
  InternalServerErrorException,
  ServiceUnavailableException,
} from '@nestjs/common';
import { SERVER_ERROR_TEXT } from '../contract/texts.ts';
import { HostApplication, NESTS_ANSWER, Unavailable } from './host-application.fixture.ts';
import { FilterError, OrderError } from './host-module.fixture.ts';

const PROBLEM = 'application/problem+json';
/** Members about a repeat. */
const LATER = { retryable: true, retry_after: 5 };
const NEVER = { retryable: false };
const REFUSED = `409 ${PROBLEM}`;
const FAILED = 'request_failed';
const CALL_FAILED = 'call_failed';

/** Kinds of things thrown. */
type Kind = 'failure' | 'status503' | 'status409' | 'unreadable';
/** The answer, and the event of the one log record and the one report, or null without both. */
type Cell = readonly [answer: string, recorded: string | null];
type Cells = Readonly<Record<Kind, Cell>>;

const always = (...cell: Cell): Cells => ({
  failure: cell,
  status503: cell,
  status409: cell,
  unreadable: cell,
});
const butRejections = (answer: string, recorded: string): Cells => ({
  ...always(answer, recorded),
  status409: [answer, null],
});
const DIGEST: Cells = {
  ...always(`500 ${PROBLEM} with digest`, FAILED),
  status503: [`503 ${PROBLEM} with digest`, FAILED],
  status409: [REFUSED, null],
};
const HEAD: Cells = {
  ...always(`500 ${PROBLEM} with digest without body`, FAILED),
  status503: [`503 ${PROBLEM} with digest without body`, FAILED],
  status409: [`${REFUSED} without body`, null],
};
const NESTS_OWN: Cells = {
  failure: ['500 application/json with digest', FAILED],
  status503: ['503 application/json with digest with the message', FAILED],
  status409: ['409 application/json', null],
  // Nest's own filter throws when it reads them.
  unreadable: DIGEST.unreadable,
};

const CONTEXTS: readonly (readonly [string, (host: HostApplication) => Promise<string>, Cells])[] = [
  ['a controller', (host) => host.http('controller'), DIGEST],
  ['a guard', (host) => host.http('guard'), DIGEST],
  ['a pipe', (host) => host.http('pipe'), DIGEST],
  ['an interceptor', (host) => host.http('interceptor'), DIGEST],
  ['a middleware', (host) => host.http('middleware'), DIGEST],
  ['HEAD', (host) => host.http('controller', 'HEAD'), HEAD],
  ['sent headers', (host) => host.http('half'), always('closed', FAILED)],
  ['an aborted request', (host) => host.abort('left'), butRejections('none', FAILED)],
  ['a client that leaves its upload', (host) => host.abort('upload', 'a'), always('none', null)],
  ['an upload to an own filter', (host) => host.abort('own-upload', 'a'), always('none', null)],
  ['an upload to a full disk', (host) => host.abort('full', 'a'), butRejections('none', FAILED)],
  ['an interceptor that maps', (host) => host.http('mapped'), always('200 text/html', null)],
  ['an own filter with 422', (host) => host.http('own-422'), always('422 text/own', null)],
  ['an own filter with 500', (host) => host.http('own-500'), always('500 text/own with digest', FAILED)],
  ['an own filter that throws', (host) => host.http('own-throws'), DIGEST],
  ["a filter that extends Nest's", (host) => host.http('own-extends'), NESTS_OWN],
  ['the filter of @sentry/nestjs', (host) => host.http('own-sentry'), NESTS_OWN],
  ['GraphQL', (host) => host.call('graphql'), butRejections('passed on', CALL_FAILED)],
  ['a context of a library', (host) => host.call('queue'), butRejections('passed on', CALL_FAILED)],
  ['RPC', (host) => host.rpc(), butRejections(NESTS_ANSWER, CALL_FAILED)],
  ['a WebSocket', (host) => host.webSocket(), butRejections(NESTS_ANSWER, CALL_FAILED)],
  ['a timer', (host) => host.outside('uncaughtException'), always('ends', 'uncaught_exception')],
  ['a promise', (host) => host.outside('unhandledRejection'), always('ends', 'unhandled_rejection')],
];

/** An Error as a proxied object or a lazy getter can be: nothing of it can be read or changed. */
function unreadable(): Error {
  const property = {
    enumerable: true,
    get: (): never => {
      throw new Error('the getter failed');
    },
  };
  const names = ['name', 'message', 'stack', 'cause', 'status', 'expose', 'getError'];
  const properties = Object.fromEntries(names.map((name) => [name, property]));
  return Object.freeze(Object.defineProperties(new Error('secret'), properties));
}

const CAUSE = new TypeError('secret cause', { cause: 'a text' });

const THINGS: readonly (readonly [string, unknown, Kind])[] = [
  ['an Error', new Error('secret'), 'failure'],
  ['an HttpException 409', new ConflictException('out of stock'), 'status409'],
  ['an HttpException 503', new ServiceUnavailableException('secret'), 'status503'],
  ['a string', 'secret', 'failure'],
  ['undefined', undefined, 'failure'],
  ['null', null, 'failure'],
  ['a plain object', { status: 404, message: 'secret' }, 'failure'],
  ['an Error with causes', new Error('secret', { cause: CAUSE }), 'failure'],
  ['an AggregateError', new AggregateError([CAUSE, 'a text'], 'secret'), 'failure'],
  ['an unreadable Error', unreadable(), 'unreadable'],
];

/** An error that shows itself, as that of an HTTP client does. */
class QueryError extends Error {
  toJSON(): object {
    return { query: this.message };
  }
}

const throwing = (value: unknown) => (): never => {
  throw value;
};
const rejecting = (value: unknown) => async (): Promise<never> => {
  throw value;
};

const CELLS = CONTEXTS.flatMap(([context, ask, cells]) =>
  THINGS.flatMap(([thing, value, kind]) => [
    { context, thing: `${thing}, thrown`, ask, fail: throwing(value), cell: cells[kind] },
    { context, thing: `${thing}, rejected`, ask, fail: rejecting(value), cell: cells[kind] },
  ]),
);

describe('an error in another application', () => {
  let host: HostApplication;

  beforeAll(async () => {
    host = await HostApplication.start();
  });

  afterAll(() => host.close());

  it.each(CELLS)('$context: $thing', async ({ ask, fail, cell: [answer, recorded] }) => {
    host.prepare(fail);

    const answered = await ask(host);

    expect(answered).toBe(answer);
    expect(host.lines.map(({ msg }) => msg)).toEqual(recorded === null ? [] : [recorded]);
    expect(host.reports.map(({ digest }) => digest)).toEqual(host.lines.map(({ digest }) => digest));
    expect(host.logged).toEqual(host.linesToLog);
  });

  it('reaches a global filter of the application first', async () => {
    host.prepare(throwing(new OrderError()));

    expect(await host.http('controller')).toBe('409 text/own');
    expect(host.reports).toEqual([]);
  });

  it.each([
    ['own-422', new Error('a'), null],
    ['own-500', new Error('a'), 'digest and reference'],
    ['own-refuses', new Error('a'), null],
    ['mapped', new Error('a'), null],
    ['controller', new Unavailable(), null],
  ])('names the failure in the answer only if it is recorded: %s', async (path, thrown, expected) => {
    host.prepare(throwing(thrown));

    const { headers } = await host.fetch(path);
    const names = [headers.get('x-errata-digest'), headers.get('x-errata-reference')];
    const { digest, reference } = host.lines[0] ?? {};
    expect(names).toEqual(expected === null ? [null, null] : [digest, reference]);
  });

  it('has its digest before a filter of the application answers', async () => {
    host.prepare(throwing(new Error('a')));

    const response = await host.fetch('own-shows');

    expect(await response.text()).toBe(response.headers.get('x-errata-digest'));
  });

  it('has a digest if a global filter of the application fails itself', async () => {
    host.prepare(throwing(new FilterError()));

    expect(await host.http('controller')).toBe(`500 ${PROBLEM} with digest`);
  });

  const CALLS = CONTEXTS.filter(([, , { failure }]) => failure[1] === CALL_FAILED);

  it.each(CALLS)('is none if it is the answer of a call, as an RpcException: %s', async (_, ask) => {
    host.prepare(throwing({ getError: () => 'no such order' }));

    await ask(host);

    expect([host.lines, host.reports]).toEqual([[], []]);
  });

  it.each([...CALLS, ...CONTEXTS.filter(([context]) => context === 'an own filter with 500')])(
    'is none while the store is unavailable: %s',
    async (_, ask) => {
      host.prepare(throwing(new Unavailable()));

      await ask(host);

      expect([host.lines, host.reports]).toEqual([[], []]);
    },
  );

  it('is none if the application stops its work because the client has left', async () => {
    host.prepare(throwing(AbortSignal.abort().reason));

    await host.abort('left');

    expect([host.lines, host.reports]).toEqual([[], []]);
  });

  it.each(['--x', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\na'])(
    'is none if the client leaves while a reader of its files waits: %j',
    async (body) => {
      host.prepare(throwing(undefined));

      await host.abort('file', body, 'multipart/form-data; boundary=x');

      expect([host.lines, host.reports]).toEqual([[], []]);
    },
  );

  it('names the whole path below the mount of a middleware, in answer, log and report', async () => {
    host.prepare(throwing(new Error('no tenant')));

    const response = await host.fetch('middleware/7?x=1');

    expect(await response.json()).toMatchObject({ status: 500, instance: '/middleware/7' });
    expect(host.lines[0]).toMatchObject({ path: '/middleware/7' });
    expect(host.reports[0]?.request).toMatchObject({ path: '/middleware/7' });
  });

  it.each(['application/json', '*/*'])('lists the messages of a validation for %s', async (accept) => {
    expect(await (await host.fetch('validated', 'GET', accept)).json()).toMatchObject({
      status: 400,
      detail: 'a is missing; b is too long',
      errors: ['a is missing', 'b is too long'],
    });
  });

  it.each([
    [
      new ServiceUnavailableException({ code: 'CLOSED', until: '18:00' }),
      { code: 'CLOSED', until: '18:00', ...LATER },
    ],
    [
      new HttpException({ retry: { afterS: 5 }, digest: 'AAAA-AAAA' }, 502),
      { retry: { afterS: 5 }, ...LATER },
    ],
    [
      new InternalServerErrorException({ code: 7, message: 'secret', stack: 'secret' }),
      { code: 7, ...NEVER },
    ],
    [new InternalServerErrorException(Object.assign(new Error(), { query: 'secret' })), NEVER],
    [
      new InternalServerErrorException({ code: 7, by: [new QueryError('secret')] }),
      { code: 7, by: [null], ...NEVER },
    ],
  ])('keeps the members that the application has given to a failure: %#', async (exception, members) => {
    host.prepare(throwing(exception));

    const body: unknown = await (await host.fetch('controller')).json();

    expect(body).toEqual({
      ...members,
      type: 'about:blank',
      title: STATUS_CODES[exception.getStatus()],
      status: exception.getStatus(),
      detail: SERVER_ERROR_TEXT,
      instance: '/controller',
      digest: host.reports[0]?.digest,
      reference: host.lines[0]?.['reference'],
    });
  });

  it('leaves an HttpException below 400 to the application', async () => {
    host.prepare(throwing(undefined));
    const moved = await host.fetch('moved');

    expect([moved.status, await moved.json()]).toEqual([302, { to: '/elsewhere' }]);
    expect((await host.fetch('unchanged')).status).toBe(304);
    expect([host.lines, host.reports]).toEqual([[], []]);
  });
});
