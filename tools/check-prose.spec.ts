import { commentLines, overBudget, proseLines, testNames, textLines } from './check-prose.ts';

const SOURCE = `import { nobody } from './nobody.ts';
/** Keeps what is
 * asked by whoever. */
const text = 'The change is told of'; // code with a comment behind it
// Of these, one.
`;

describe('check-prose', () => {
  it('reports a planted phrase of a comment with file, line and phrase', () => {
    const report = overBudget('comments', commentLines('a.ts', SOURCE), 0);

    expect(report).toEqual([
      'a.ts:2: "what is"',
      'a.ts:3: "whoever"',
      'a.ts:5: "Of these"',
      'comments: 1000 phrases to avoid for each 1,000 lines, the limit is 0',
    ]);
  });

  it('reports a planted phrase of a text for people, but none of a comment or an import', () => {
    const report = overBudget('texts', textLines('a.ts', SOURCE), 0, true);

    expect(report).toEqual(['a.ts:4: "is told"', 'texts: 1 phrases to avoid, the limit is 0']);
  });

  it('reports a planted phrase in the names of tests, with and without a table', () => {
    const spec =
      "it('tells nobody', () => {});\nit.each([1])(\n  'counts what is there',\n  () => {});\nask('who is it');\n";

    expect(overBudget('names', testNames('a.spec.ts', spec), 0)).toEqual([
      'a.spec.ts:1: "nobody"',
      'a.spec.ts:2: "what is"',
      'names: 1000 phrases to avoid for each 1,000 lines, the limit is 0',
    ]);
    expect(overBudget('code', textLines('a.spec.ts', spec), 0, true)).toContain('a.spec.ts:1: "nobody"');
  });

  it('reads documents without their code blocks', () => {
    const document = 'Somebody asks.\n\n```sh\nnobody\n```\nThe client asks.\n';

    const lines = proseLines('b.md', document);

    expect(lines.map(({ place }) => place)).toEqual(['b.md:1', 'b.md:6']);
    expect(overBudget('documents', lines, 499)).toEqual([
      'b.md:1: "Somebody"',
      'documents: 500 phrases to avoid for each 1,000 lines, the limit is 499',
    ]);
  });

  it('is silent within the budget', () => {
    expect(overBudget('comments', commentLines('a.ts', SOURCE), 1_000)).toEqual([]);
    expect(overBudget('comments', [], 0)).toEqual([]);
  });
});
