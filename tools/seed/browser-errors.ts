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

/** A place in the served script that its source map maps to one of the project's sources. */
interface Place {
  readonly script: string;
  readonly line: number;
  readonly column: number;
}

/** Returns places by source file; none when the running Errata serves another build than this checkout. */
export async function placesInClient(): Promise<ReadonlyMap<string, readonly Place[]>> {
  const html = await (await fetch(`${url}/console`)).text();
  const names = existsSync(ASSETS) ? readdirSync(ASSETS).filter((name) => name.endsWith('.js')) : [];
  const entry = /\/assets\/([\w-]+\.js)/.exec(html)?.[1];
  if (entry === undefined || !names.includes(entry)) return new Map();
  const places = new Map<string, Place[]>();
  for (const name of names.toSorted()) {
    for (const [source, place] of placesIn(name)) {
      const known = places.get(source) ?? [];
      known.push(place);
      places.set(source, known);
    }
  }
  return places;
}

function* placesIn(name: string): Generator<readonly [string, Place]> {
  const map = new SourceMap(
    JSON.parse(readFileSync(join(ASSETS, `${name}.map`), 'utf8')) as SourceMapPayload,
  );
  const lines = readFileSync(join(ASSETS, name), 'utf8').split('\n');
  for (const [line, text] of lines.entries()) {
    for (let column = 0; column < text.length; column += STEP) {
      const found = map.findEntry(line, column);
      const source = 'originalSource' in found ? found.originalSource : '';
      if (OWN_SOURCE.test(source)) yield [source, { script: name, line: line + 1, column: column + 1 }];
    }
  }
}

/** Returns minified errors of the served client, and some of scripts that are in no build. */
export function browserErrors(
  random: Random,
  count: number,
  places: ReadonlyMap<string, readonly Place[]>,
): readonly SeedEvent[] {
  const sources = [...places.keys()].toSorted();
  return Array.from({ length: count }, (_, index) => {
    const release = index % 3 === 0 ? RELEASES[0] : RELEASES[1];
    const [type, value] = MESSAGES[index % MESSAGES.length] ?? MESSAGES[0];
    const isKnown = sources.length > 0 && index % 10 !== 9;
    const frames = isKnown ? framesIn(places, sources, index) : [frame('gone-Ab12Cd34.js', 1, 999)];
    return {
      ...browserEvent(random, release, random.pick(['/', '/checkout', '/cart/4711'])),
      exception: {
        values: [{ type, value, stacktrace: { frames }, mechanism: { type: 'onerror', handled: false } }],
      },
    };
  });
}

/** Returns a stack of two calls: a place in one file, called from the next file. The first three messages share a place. */
function framesIn(
  places: ReadonlyMap<string, readonly Place[]>,
  sources: readonly string[],
  index: number,
): readonly object[] {
  const fault = Math.max(0, (index % MESSAGES.length) - 2) + 3 * (Math.floor(index / MESSAGES.length) % 2);
  return [fault + 1, fault].flatMap((number) => {
    const inSource = places.get(sources[(number * 3) % sources.length] ?? '') ?? [];
    const place = inSource[Math.floor(inSource.length / 2)];
    return place === undefined ? [] : [frame(place.script, place.line, place.column)];
  });
}

function frame(script: string, line: number, column: number): object {
  const address = `${url}/console/assets/${script}`;
  return { filename: address, abs_path: address, function: 'r', lineno: line, colno: column, in_app: true };
}
