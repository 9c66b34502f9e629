import type { EventDetail, FrameDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';

/** The event whose stack tells the cause of this one: its own, or for a brief repeat the newest full one's. */
export function causeEvent(issue: IssueAnswer, event: EventDetail): EventDetail {
  return event.brief === true ? (issue.latest ?? event) : event;
}

/** File of a frame that names no script: code from `eval`, native code, a frame without a file. */
const NO_SCRIPT = /^(?:<.*>)?$/;

/**
 * Returns the note above a stack that stayed minified: once, and only with a script that a source map could belong to.
 * The server's reason may begin with the same word and may go on behind a semicolon.
 */
export function minifiedNote({ unmapped, exceptions }: EventDetail): string | null {
  const hasScript = exceptions.some(({ frames }) => frames.some(({ file }) => !NO_SCRIPT.test(file)));
  if (unmapped === null || !hasScript) return null;
  const [reason = ''] = unmapped.replace(/^minified: /i, '').split(';');
  return `Minified: ${reason.trim().replace(/\.$/, '')}.`;
}

/** A stretch of the stack: one own frame, or all foreign frames up to the next own one. */
type StackPart =
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
