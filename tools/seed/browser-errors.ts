import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { url } from '../running.ts';
import { browserEvent, RELEASES, type SeedEvent } from './event.ts';
import type { Random } from './random.ts';

/** The same error in the words of the three engines, and two more. */
const MESSAGES = [
  ['TypeError', "Cannot read properties of undefined (reading 'items')"],
  ['TypeError', 'can\'t access property "items", t.cart is undefined'],
  ['TypeError', "undefined is not an object (evaluating 't.cart.items')"],
  ['RangeError', 'Maximum call stack size exceeded'],
  ['Error', 'Minified React error #310; visit https://react.dev/errors/310'],
] as const;

const ASSETS = join(import.meta.dirname, '..', '..', 'frontend', 'dist', 'console', 'assets');
const OWN_SOURCE = /src\/(?:app|console|api|ui)\/.*\.tsx?$/;
/** Distance in characters between the places of the script that are looked up in its source map. */
const STEP = 41;

/** Returns a frame in each source file of the client; none when the running Errata serves another build than this checkout. */
export async function framesInClient(): Promise<readonly object[]> {
  const html = await (await fetch(`${url}/console`)).text();
  const names = existsSync(ASSETS) ? readdirSync(ASSETS).filter((name) => name.endsWith('.js')) : [];
  const entry = /\/assets\/([\w-]+\.js)/.exec(html)?.[1];
  if (entry === undefined || !names.includes(entry)) return [];
  const frames = new Map(names.toSorted().flatMap((name) => [...framesIn(name)]));
  return [...frames].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found);
}

/** Yields places of a script that its source map maps to one of the project's sources, with that source. */
function* framesIn(name: string): Generator<readonly [string, object]> {
  const map = JSON.parse(readFileSync(join(ASSETS, `${name}.map`), 'utf8')) as SourceMapPayload;
  const sources = new SourceMap(map);
  for (const [line, text] of readFileSync(join(ASSETS, name), 'utf8').split('\n').entries()) {
    for (let column = 0; column < text.length; column += STEP) {
      const found = sources.findEntry(line, column);
      const source = 'originalSource' in found ? found.originalSource : '';
      if (OWN_SOURCE.test(source)) yield [source, frame(name, line + 1, column + 1)];
    }
  }
}

/** Returns minified errors of the served client, and some of scripts that are in no build. */
export function browserErrors(
  random: Random,
  count: number,
  client: readonly object[],
): readonly SeedEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const release = index % 3 === 0 ? RELEASES[0] : RELEASES[1];
    const [type, value] = MESSAGES[index % MESSAGES.length] ?? MESSAGES[0];
    // The first three messages are of one error.
    const fault = Math.max(0, (index % MESSAGES.length) - 2) + 3 * (Math.floor(index / MESSAGES.length) % 2);
    const calls = [fault + 1, fault].flatMap((number) => client[(number * 3) % client.length] ?? []);
    const frames = calls.length > 0 && index % 10 !== 9 ? calls : [frame('gone-Ab12Cd34.js', 1, 999)];
    const mechanism = { type: 'onerror', handled: false };
    return {
      ...browserEvent(random, release, random.pick(['/', '/checkout', '/cart/4711'])),
      exception: { values: [{ type, value, stacktrace: { frames }, mechanism }] },
    };
  });
}

function frame(script: string, line: number, column: number): object {
  const address = `${url}/console/assets/${script}`;
  return { filename: address, abs_path: address, function: 'r', lineno: line, colno: column, in_app: true };
}
