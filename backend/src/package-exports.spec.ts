import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Entries for other applications: built files, with the types of their source. */
const PACKAGE = join(import.meta.dirname, '..');

interface Built {
  readonly types: string;
  readonly default: string;
}

const { exports } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, Built | string>>;
};
const built = Object.entries(exports).flatMap(([name, target]) =>
  typeof target === 'string' ? [] : [{ name, target }],
);

test.each(built)('$name is built from the source that has its types', ({ name, target }) => {
  expect(target.default).toBe(name.replace('./', './dist/'));
  expect(target.types).toBe(name.replace('./', './src/').replace(/\.js$/, '.ts'));
  expect(existsSync(join(PACKAGE, target.types))).toBe(true);
});
