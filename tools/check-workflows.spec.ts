import { workflowFaults } from './check-workflows.ts';

const COMMIT = '3d3c42e5aac5ba805825da76410c181273ba90b1';

/** A workflow without faults; each test replaces one part. */
const GOOD = `name: good
on: push
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-24.04-arm
    steps:
      - uses: actions/checkout@${COMMIT} # v7.0.1
      - run: make test
  release:
    needs: test
    uses: ./.github/workflows/test.yml
`;

describe('workflowFaults', () => {
  it('finds nothing in a workflow without faults', async () => {
    expect(await workflowFaults('good.yml', GOOD)).toEqual([]);
  });

  it.each([
    // One of actionlint's findings stands for all: it tests its own.
    ['an unknown permission', 'contents: read', 'contents: reed', /^bad\.yml:4:13: "reed" is invalid/],
    ['an action pinned by tag', `@${COMMIT}`, '@v7', /^bad\.yml:9:15: actions\/checkout@v7: expected/],
    ['a commit without its version', ' # v7.0.1', '', /^bad\.yml:9:15: actions\/checkout@3d3c.*: expected/],
  ])('finds %s', async (_fault, part, planted, expected) => {
    const faults = await workflowFaults('bad.yml', GOOD.replace(part, planted));

    expect(faults).toEqual([expect.stringMatching(expected)]);
  });
});
