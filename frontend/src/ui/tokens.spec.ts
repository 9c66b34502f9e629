import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The colours of the dark look. A browser checks each page in light colours alone (e2e/accessibility.e2e.ts): this says why
 * it would find no other contrast in dark ones.
 */

const SRC = join(import.meta.dirname, '..');
const sheets = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

const all = sheets.map(({ text }) => text).join('\n');
const TOKEN = /--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g;
const tokens = new Map(
  Array.from(all.matchAll(TOKEN), ([, name = '', light = '', dark = '']) => [name, { light, dark }]),
);

/** Names of the tokens in declarations of these properties. */
function usedBy(properties: string): readonly string[] {
  const found = all.matchAll(new RegExp(`^\\s*(?:${properties}): var\\(--([\\w-]+)\\)`, 'gm'));
  return [...new Set(Array.from(found, ([, name = '']) => name))].filter((name) => tokens.has(name));
}

/** Relative luminance of WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

it('are those of tokens.css alone, but for what lies behind a dialog', () => {
  const COLOUR = /#[\da-f]{3,8}\b|\b(?:rgb|rgba|hsl|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)\(/i;
  const others = sheets.filter(({ path }) => path !== join('ui', 'tokens.css'));

  const named = others.filter(({ text }) => COLOUR.test(text.replaceAll(/::backdrop \{[^}]*\}/g, '')));

  expect(tokens.size).toBeGreaterThan(10);
  expect(others.length).toBeGreaterThan(20);
  expect(named.map(({ path }) => path)).toEqual([]);
});

/** 4.5 for text, 3 for large text and for a link in a text. */
it.each([4.5, 3])('differ by %d where those of the light look do', (least) => {
  const names = usedBy('color|background');
  const pairs = names.flatMap((one) => names.map((other) => [one, other] as const));
  const contrastIn = (look: 'light' | 'dark', [one, other]: readonly [string, string]): number =>
    contrast(tokens.get(one)?.[look] ?? '', tokens.get(other)?.[look] ?? '');

  const lost = pairs.filter((pair) => contrastIn('light', pair) >= least && contrastIn('dark', pair) < least);

  expect(names.length).toBeGreaterThan(10);
  expect(lost).toEqual([]);
});
