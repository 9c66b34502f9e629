import type { FrameDetail } from '@errata/backend/contract/event-api.ts';
import { EVENT } from '../console.fixture.tsx';
import { lacksSource, minifiedNote, stackParts } from './stack-parts.ts';

function frame(file: string, own: boolean): FrameDetail {
  return { file, own, function: null, line: null, column: null, mapped: false, source: [] };
}

it('folds what lies between own frames, and keeps the order', () => {
  const frames = [frame('a.ts', true), frame('x.js', false), frame('y.js', false), frame('b.ts', true)];

  expect(stackParts(frames)).toEqual([
    { kind: 'own', frame: frames[0] },
    { kind: 'foreign', frames: [frames[1], frames[2]] },
    { kind: 'own', frame: frames[3] },
  ]);
});

it('folds a stack without own frames into one part', () => {
  expect(stackParts([frame('x.js', false)])).toHaveLength(1);
});

it('has no parts without frames', () => {
  expect(stackParts([])).toEqual([]);
});

it.each([
  [
    'minified: no source map for app.js of release 1; looked everywhere',
    'Minified: no source map for app.js of release 1.',
  ],
  ['No map for /assets/old.js.', 'Minified: No map for /assets/old.js.'],
])('says once that a stack is minified (%s)', (unmapped, note) => {
  expect(minifiedNote({ ...EVENT, unmapped })).toBe(note);
});

it.each(['App.tsx', 'cart.mts', 'cart.ts', 'App.jsx'])(
  'does not call the source %s minified, which a development server sends',
  (file) => {
    const unmapped = `minified: no source map for ${file} of release 1; looked everywhere`;

    expect(minifiedNote({ ...EVENT, unmapped })).toBe(
      `No source map for ${file} of release 1; lines are those of the compiled file.`,
    );
  },
);

it.each(['', '<anonymous>', '<unknown>'])('says nothing of source maps for a stack of %s alone', (file) => {
  const exceptions = [{ type: 'Error', value: '', frames: [frame(file, true)] }];

  expect(
    minifiedNote({ ...EVENT, exceptions, unmapped: 'minified: no source map for the script' }),
  ).toBeNull();
});

it.each([
  ['all own frames are without it', [{ source: 0 }, { source: 0 }], true],
  ['the innermost own frame has it', [{ source: 1 }, { source: 0 }], false],
  ['no own frame is mapped', [{ source: 0, mapped: false }], false],
  ['only frames of libraries are without it', [{ source: 1 }, { source: 0, own: false }], false],
  ['there are no own frames', [{ source: 0, own: false }], false],
])('says whether a map lacks the source: %s', (_, shapes, lacks) => {
  const frames = shapes.map(({ source, ...change }) => ({
    ...frame('a.ts', true),
    mapped: true,
    source: [{ number: 1, text: 'a' }].slice(0, source),
    ...change,
  }));

  expect(lacksSource(frames)).toBe(lacks);
});
