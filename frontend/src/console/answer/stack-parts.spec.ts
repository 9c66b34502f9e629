import type { FrameDetail } from '@errata/backend/contract/event-api.ts';
import { stackParts } from './stack-parts.ts';

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
