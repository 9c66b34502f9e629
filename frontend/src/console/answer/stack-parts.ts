import type { FrameDetail } from '@errata/backend/contract/event-api.ts';

/** A stretch of the stack: one own frame, or all foreign frames up to the next own one. */
export type StackPart =
  | { readonly kind: 'own'; readonly frame: FrameDetail }
  | { readonly kind: 'foreign'; readonly frames: readonly FrameDetail[] };

/** Own frames stand for themselves; what lies between them is folded. */
export function stackParts(frames: readonly FrameDetail[]): readonly StackPart[] {
  const parts: StackPart[] = [];
  let foreign: FrameDetail[] = [];
  const fold = () => {
    if (foreign.length > 0) parts.push({ kind: 'foreign', frames: foreign });
    foreign = [];
  };
  for (const frame of frames) {
    if (frame.own) {
      fold();
      parts.push({ kind: 'own', frame });
    } else {
      foreign.push(frame);
    }
  }
  fold();
  return parts;
}
