import { notesOf } from './release-notes.ts';

const CHANGELOG = `# Changelog

## Unreleased

- Not yet.

## [1.2.30] - 2026-11-02

- Another version.

## 1.2.3 - 2026-11-01

### Added

- A thing.

## 1.2.2

## 1.2.1

- The first.
`;

describe('notesOf', () => {
  it.each([
    ['1.2.3', '### Added\n\n- A thing.'],
    ['1.2.30', '- Another version.'],
    ['1.2.1', '- The first.'],
  ])('returns the section of %s alone', (version, notes) => {
    expect(notesOf(`v${version}`, version, CHANGELOG)).toBe(notes);
  });

  it('refuses a tag that is not the version of package.json', () => {
    expect(() => notesOf('v1.2.3', '1.2.4', CHANGELOG)).toThrow(
      'tag v1.2.3: expected v1.2.4, the version of package.json',
    );
  });

  it.each(['1.2.2', '1.2.0', '1.2'])('refuses a version without a section or without text: %s', (version) => {
    expect(() => notesOf(`v${version}`, version, CHANGELOG)).toThrow(`expected a section "## ${version}"`);
  });
});
