import type { EventDetail, FrameDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';

/** Returns the event whose stack trace shows the cause: the event itself, or the newest full event for a brief one. */
export function causeEvent(issue: IssueAnswer, event: EventDetail): EventDetail {
  return event.brief === true ? (issue.latest ?? event) : event;
}

/** File of a frame that names no script: code from `eval`, native code, a frame without a file. */
const NO_SCRIPT = /^(?:<.*>)?$/;

/** Reason for a file that no build has minified: a development server, such as Vite's, compiles each source for itself. */
const COMPILED_SOURCE = /^no source map for \S+\.(?:[cm]?ts|[jt]sx)\b/i;

/**
 * Returns the note above a stack that stayed minified, or null where no frame names a script that could have a source
 * map. The server's reason may begin with the same word and may continue after a semicolon.
 */
export function minifiedNote({ unmapped, exceptions }: EventDetail): string | null {
  const hasScript = exceptions.some(({ frames }) => frames.some(({ file }) => !NO_SCRIPT.test(file)));
  if (unmapped === null || !hasScript) return null;
  const [reason = ''] = unmapped.replace(/^minified: /i, '').split(';');
  const note = reason.trim().replace(/\.$/, '');
  if (COMPILED_SOURCE.test(note)) return `N${note.slice(1)}; lines are those of the compiled file.`;
  return `Minified: ${note}.`;
}

/** A part of the stack: one in-app frame, or all other frames up to the next one. */
type StackPart =
  | { readonly kind: 'own'; readonly frame: FrameDetail }
  | { readonly kind: 'foreign'; readonly frames: readonly FrameDetail[] };

/** Groups the frames between in-app frames, to fold them. */
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

/** Returns whether the own frames are known by a source map that does not contain their source. */
export function lacksSource(frames: readonly FrameDetail[]): boolean {
  const known = frames.filter(({ own, mapped }) => own && mapped);
  return known.length > 0 && known.every(({ source }) => source.length === 0);
}
