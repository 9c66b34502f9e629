import { commentLines, dialect, phrases, proseLines, testNames, textLines } from './check-prose.ts';

const SOURCE = `import { nobody } from './nobody.ts';
/** Keeps what is
 * asked by whoever. */
const text = 'The change is told of'; // code with a comment behind it
// Of these, one.
it('tells nobody', () => {});
it.each([1])(
  'counts what is there',
  () => {});
ask('who is it');
`;
const DOCUMENT = 'Somebody asks.\n\n```sh\nnobody\n```\nThe client asks.\n';

describe('check-prose', () => {
  it.each([
    ['comments', commentLines, ['2: "what is"', '3: "whoever"', '5: "Of these"'], 1_000],
    ['names of tests, with and without a table', testNames, ['6: "nobody"', '7: "what is"'], 1_000],
    [
      'documents without their code blocks',
      (file: string) => proseLines(file, DOCUMENT),
      ['1: "Somebody"'],
      500,
    ],
  ])('reports planted circumlocutions in %s, when they are too many', (_, split, hits, share) => {
    const lines = split('a', SOURCE);

    const report = dialect('all', lines, share - 1);

    expect(report).toEqual([
      ...hits.map((hit) => `a:${hit} is to be avoided`),
      `all: ${share} for each 1,000 lines, the limit is ${share - 1}`,
    ]);
    expect(dialect('all', lines, share)).toEqual([]);
  });

  it('reports each planted phrase of a text for people, but none of a comment or an import', () => {
    expect(phrases(textLines('a.ts', SOURCE))).toEqual([
      'a.ts:4: "is told" is to be avoided',
      'a.ts:6: "nobody" is to be avoided',
    ]);
  });
});
