import { join } from 'node:path';
import { z } from 'zod';
import {
  type ClientRoute,
  type ClientRoutes,
  ROUTE_PATTERN,
  ROUTE_PATTERN_HINT,
} from '../contract/routes.ts';
import { clientFileStatus, readClientFile } from './compressed-only.ts';

export const MANIFEST_NAME = 'routes.json';
const HOME: ClientRoute = { path: '/' };

const WRONG_SYMBOL = /^Unexpected token/;
const LIST_HINT = 'expected a list of routes';
/** Unknown names are faults: a misspelt `noindex` would leave a page in the indexes. */
const manifestSchema = z.strictObject(
  {
    routes: z.array(
      z.strictObject({
        path: z.string(ROUTE_PATTERN_HINT).regex(ROUTE_PATTERN, ROUTE_PATTERN_HINT),
        demo: z.boolean('expected true or false').exactOptional(),
        noindex: z.boolean('expected true or false').exactOptional(),
        preload: z.array(z.string('expected the path of a file'), 'expected a list of files').exactOptional(),
      }),
      LIST_HINT,
    ),
  },
  { error: ({ code }) => (code === 'invalid_type' ? 'expected {"routes":[{"path":"/"}]}' : undefined) },
);

/**
 * Returns the routes of a client beside its files: those of the setting, else those of routes.json. The page `/` is always
 * among them.
 *
 * @throws Error that names the file, the position in it and what was expected there.
 */
export function readRoutes(clientDir: string, setting: ClientRoutes | null): readonly ClientRoute[] {
  if (setting === 'spa') return [HOME, { path: '/*' }];
  if (setting === 'files') return [HOME];
  if (setting !== null) return [HOME, ...setting.map((path) => ({ path }))];
  // The file may have the page, too, with more to say about it.
  return [...readManifest(clientDir), HOME];
}

function readManifest(clientDir: string): readonly ClientRoute[] {
  const file = join(clientDir, MANIFEST_NAME);
  const status = clientFileStatus(clientDir, MANIFEST_NAME);
  if (status === undefined) return [];
  if (!status.isFile()) throw new Error(`${file} is not a file`);
  return parseManifest(readClientFile(clientDir, MANIFEST_NAME).toString('utf8'), file);
}

function parseManifest(text: string, file: string): readonly ClientRoute[] {
  const result = manifestSchema.safeParse(parseJson(text, file));
  if (result.success) return result.data.routes;
  const [issue] = result.error.issues;
  const position = z.core.toDotPath(issue?.path ?? []);
  throw new Error(`${file}${position === '' ? '' : `, ${position}`}: ${issue?.message ?? LIST_HINT}`);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const before = text.slice(0, offsetOfFault(text)).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new Error(`${file}, line ${before.length}, column ${column}: expected valid JSON`, { cause });
  }
}

/** V8 names the offset of most faults; for a wrong symbol it is the end of the shortest start with that fault. */
function offsetOfFault(text: string): number {
  const message = faultOf(text);
  if (!WRONG_SYMBOL.test(message)) return Number(/ position (\d+)/.exec(message)?.[1] ?? text.length);
  let [without, having] = [0, text.length];
  while (having - without > 1) {
    const middle = (without + having) >> 1;
    if (WRONG_SYMBOL.test(faultOf(text.slice(0, middle)))) having = middle;
    else without = middle;
  }
  return without;
}

function faultOf(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
