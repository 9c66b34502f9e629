import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { createGenerator } from 'ts-json-schema-generator';
import type { Operation } from '../backend/src/console/openapi/operation.ts';
import { OPERATIONS, PATH_PARAMETERS } from '../backend/src/console/openapi/operations.ts';

/**
 * Writes the OpenAPI 3.1 description of the console's API from its operations and the types of the contract, whose doc
 * comments become the descriptions. `--check` fails when the file differs from them.
 */

const root = join(import.meta.dirname, '..');
const path = join(root, 'backend', 'src', 'console', 'openapi', 'openapi.json');

/** Statuses of errors that every operation may return. */
const PROBLEMS: Readonly<Record<string, string>> = {
  '400': 'Invalid parameter or body; see `detail`.',
  '401': 'Not signed in.',
  '403': 'Console closed or role insufficient; see `detail`.',
  '404': 'Not found.',
  '409': 'Belongs to another replica; see `detail`.',
  '429': 'Too many attempts; see `Retry-After`.',
  '503': 'Store or spool unavailable; see `Retry-After`.',
};

type Json = Readonly<Record<string, unknown>>;

/** Returns the JSON schemas of the types of all bodies, and of the types that they use. */
function schemasOf(operations: readonly Operation[]): Json {
  const generator = createGenerator({
    path: join(root, 'backend', 'src', 'contract', '*.ts'),
    tsconfig: join(import.meta.dirname, 'openapi.tsconfig.json'),
    additionalProperties: true,
    topRef: true,
    expose: 'export',
    jsDoc: 'extended',
    sortProps: false,
    skipTypeCheck: true,
  });
  const definitions: Record<string, unknown> = {};
  const names = operations.flatMap(({ body, response }) => [body, response]).filter((name) => name != null);
  for (const name of new Set(['Problem', ...names]))
    Object.assign(definitions, generator.createSchema(name).definitions);
  const sorted = Object.fromEntries(Object.entries(definitions).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const text = JSON.stringify(sorted)
    .replaceAll('#/definitions/', '#/components/schemas/')
    .replaceAll(/\s*\{\s*@link\s+([\w.]+)\s*\}\s*(?=[.,;)])/g, ' $1')
    .replaceAll(/\s*\{\s*@link\s+([\w.]+)\s*\}\s*/g, ' $1 ');
  return JSON.parse(text, asOf2020) as Json;
}

/** Rewrites tuples: the generator writes them as in drafts before 2020-12, which OpenAPI 3.1 uses. */
function asOf2020(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('items' in value)) return value;
  const { items, ...rest } = value;
  return Array.isArray(items) && 'type' in rest ? { ...rest, prefixItems: items, items: false } : value;
}

function contentOf(name: string, type = 'application/json'): Json {
  return { content: { [type]: { schema: { $ref: `#/components/schemas/${name}` } } } };
}

function parametersOf({ path: route, query = {} }: Operation): readonly Json[] {
  const inPath = [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const [description, schema] = [PATH_PARAMETERS[name], { type: 'string' }];
    return { name, in: 'path', required: true, description, schema };
  });
  const inQuery = Object.entries(query).map(([name, { meaning, values, isRequired = false }]) => {
    const schema = { type: 'string', ...(values === undefined ? {} : { enum: values }) };
    return { name, in: 'query', required: isRequired, description: meaning, schema };
  });
  return [...inPath, ...inQuery];
}

function responsesOf({ response }: Operation): Json {
  const content = contentOf('Problem', 'application/problem+json');
  const problems = Object.entries(PROBLEMS).map(([status, description]) => [
    status,
    { description, ...content },
  ]);
  const [status, good] = response === null ? ['204', {}] : ['200', contentOf(response)];
  return Object.fromEntries([[status, { description: 'Done.', ...good }], ...problems]) as Json;
}

function operationOf(operation: Operation): Json {
  const { id, summary, role, body } = operation;
  return {
    operationId: id,
    summary,
    ...(role === null ? { security: [] } : { 'x-role': role }),
    parameters: parametersOf(operation),
    ...(body === undefined ? {} : { requestBody: { required: true, ...contentOf(body) } }),
    responses: responsesOf(operation),
  };
}

function pathsOf(operations: readonly Operation[]): Json {
  const byPath = Map.groupBy(operations, ({ path: route }) => route.replaceAll(/:(\w+)/g, '{$1}'));
  const methods = (all: readonly Operation[]): Json =>
    Object.fromEntries(all.map((operation) => [operation.method, operationOf(operation)]));
  return Object.fromEntries([...byPath].map(([route, all]) => [route, methods(all)]));
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const document = {
  openapi: '3.1.1',
  info: {
    title: 'Errata console',
    version,
    description:
      'Everything that the console does: find errors, set their status, check the delivery of all events.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [{ token: [] }, { session: [] }],
  paths: pathsOf(OPERATIONS),
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'ERRATA_CONSOLE_TOKEN or ERRATA_SUPPORT_TOKEN.' },
      session: { type: 'apiKey', in: 'cookie', name: '__Host-errata' },
    },
    schemas: schemasOf(OPERATIONS),
  },
};
const style = await resolveConfig(path);
const text = await format(JSON.stringify(document), { ...style, parser: 'json' });

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write('openapi.json differs from operations and contract: run make format.\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(path, text);
}
