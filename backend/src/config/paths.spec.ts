import { join } from 'node:path';
import { requireOwnFiles } from './paths.ts';

describe('requireOwnFiles', () => {
  it('accepts the folder of the code itself', () => {
    expect(() => requireOwnFiles()).not.toThrow();
  });

  it.each(['undefined', '/', join(import.meta.dirname, 'main')])(
    'says what to do where a bundler has put the code elsewhere: %s',
    (folder) => {
      expect(() => requireOwnFiles(folder)).toThrow(
        /^Errata is bundled into .*: list its package as external in the settings of the bundler/,
      );
    },
  );
});
