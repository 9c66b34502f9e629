import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { DeadLetterList } from '@errata/backend/contract/delivery-api.ts';
import type { IssueList } from '@errata/backend/contract/issues-api.ts';
import {
  type ApiDescription,
  type ApiOperation,
  type ApiParameter,
  closed,
  valuesOf,
} from './fixtures/api-description.ts';
import { isNoSession, QUICK_REFUSALS, untilDeadLetters } from './fixtures/dead-letters.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';
import { HOSTILE_TEXTS } from './fixtures/hostile-texts.ts';

const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };
/** Fixed, so that every run makes the same requests; `SEED=…` for others. */
const SEED = Number(process.env['SEED'] || 1);
/** Number of requests for each operation. */
const RUNS = 60;

let errata: ErrataProcess;
let upstream: FakeUpstream;
let description: ApiDescription;
/** Existing ids, so that some requests of the fuzz find something. */
let knownTexts: readonly string[];

const get = async <T>(path: string): Promise<T> =>
  (await (await fetch(errata.url + path, { headers: AUTHORIZATION })).json()) as T;

test.beforeAll(async () => {
  upstream = new FakeUpstream();
  upstream.refuses = isNoSession;
  await upstream.up();
  errata = await new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn, ...QUICK_REFUSALS } }).start();
  description = await get<ApiDescription>('/console/api/openapi.json');
  const ids = Array.from({ length: 5 }, newEventId);
  for (const [index, id] of ids.entries()) {
    const body = errorEnvelope(upstream.dsn, id, `failure ${'abcde'[index]}`);
    await fetch(`${errata.url}/tunnel`, { method: 'POST', body });
  }
  await untilDeadLetters(errata, upstream);
  await expect(async () => {
    expect((await get<IssueList>('/console/api/issues')).issues).toHaveLength(ids.length);
    expect((await get<DeadLetterList>('/console/api/dead-letters')).deadLetters).toHaveLength(ids.length);
  }).toPass();
  const { issues } = await get<IssueList>('/console/api/issues');
  const { deadLetters } = await get<DeadLetterList>('/console/api/dead-letters');
  knownTexts = [
    ...ids,
    ...issues.flatMap(({ digest, key, project }) => [digest, key, project, digest.slice(0, 5)]),
    ...deadLetters.map(({ id }) => id),
  ];
});

test.afterAll(async () => {
  await errata.stop();
  await upstream.down();
});

test('the API describes itself in valid OpenAPI', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(description) as never);

  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test('no request of the description, or close to it, causes a server error', async () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(closed(description) as object, 'api');
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  const failures: string[] = [];
  for (const { path, method, operation } of operations) {
    await fc
      .assert(
        fc.asyncProperty(requestsOf(operation), async (request) => {
          const problem = await send(ajv, path, method, operation, request);
          if (problem !== null) throw new Error(problem);
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      )
      .catch((error: unknown) => failures.push(`${operation.operationId}: ${causeOf(error)}`));
  }

  expect(failures).toEqual([]);
  expect(errata.hasEnded).toBe(false);
});

/** Returns the error that fast-check keeps as the cause, and the line with which the run can be repeated. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return `${String(cause)} (${error instanceof Error ? error.message.split('\n')[1] : ''})`;
}

interface FuzzedRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
}

function requestsOf(operation: ApiOperation): fc.Arbitrary<FuzzedRequest> {
  const texts = fc.oneof(
    fc.constantFrom(...knownTexts),
    fc.constantFrom(...HOSTILE_TEXTS),
    fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
  );
  const valueOf = (parameter: ApiParameter) =>
    valuesOf(parameter.schema, description, texts)
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed())
      // An empty segment, or one of dots, would be another path.
      .filter((text) => parameter.in === 'query' || !/^\.{0,2}$/.test(text));
  const parameters = fc.record(
    Object.fromEntries(operation.parameters.map((parameter) => [parameter.name, valueOf(parameter)])),
    { requiredKeys: operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name) },
  ) as fc.Arbitrary<Record<string, string>>;
  const schema = operation.requestBody?.content['application/json']?.schema;
  const body = schema === undefined ? fc.constant(undefined) : valuesOf(schema, description, texts);
  return fc.record({ parameters, body });
}

/** Sends a request. Returns a description of the error in the response, or null. */
async function send(
  ajv: Ajv2020,
  path: string,
  method: string,
  operation: ApiOperation,
  { parameters, body }: FuzzedRequest,
): Promise<string | null> {
  const url = new URL(errata.url);
  url.pathname = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
  for (const { name, in: place } of operation.parameters) {
    const value = parameters[name];
    if (place === 'query' && value !== undefined) url.searchParams.set(name, value);
  }
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const told = `${method} ${url.pathname}${url.search} ${JSON.stringify(body)} -> ${response.status}`;
  if (response.status >= 500) return `${told} ${await response.text()}`;
  const media = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  if (response.status === 204) return null;
  return wrongAnswer(ajv, operation, response.status, media, await response.text(), told);
}

function wrongAnswer(
  ajv: Ajv2020,
  operation: ApiOperation,
  status: number,
  media: string,
  text: string,
  told: string,
): string | null {
  const described = operation.responses[String(status)]?.content?.[media];
  if (described === undefined) return `${told} is not described: ${media} ${text.slice(0, 200)}`;
  const { $ref } = described.schema;
  const validate: ValidateFunction | undefined = ajv.getSchema(`api${$ref ?? ''}`);
  if (validate === undefined) return `${told}: no schema ${$ref}`;
  return validate(JSON.parse(text)) ? null : `${told}: ${ajv.errorsText(validate.errors)}`;
}
