import { hostedStyle } from './hosted-style.ts';

const TOKENS = ':root {\n  --space-4: 1rem;\n}\nbody { margin: 0 }';
const PAGE =
  '.page_1 { padding: var(--space-4) 12vh }\n.digest_1 code { letter-spacing: 0.04em }\n@media (max-width: 30rem) { .page_1 { padding: .75rem } }';

it('keeps its rules to the page, outweighs those of the application, and has sizes in pixels', () => {
  const lines = hostedStyle(TOKENS, PAGE, { page: 'page_1', digest: 'digest_1' }).split('\n');

  expect(lines).toEqual([
    expect.stringMatching(
      /^\.page_1:not\(#_#_\) \{ all: initial; \} .*\.page_1:not\(#_#_\) \*.*\{ all: revert; \}$/,
    ),
    '.page_1:not(#_#_) {',
    '  --space-4: 16px;',
    '}',
    '.page_1:not(#_#_) { margin: 0 }',
    '.page_1:not(#_#_) { padding: var(--space-4) 12vh }',
    '.digest_1:not(#_#_) code { letter-spacing: 0.04em }',
    '@media (max-width: 480px) { .page_1:not(#_#_) { padding: 12px } }',
  ]);
});
