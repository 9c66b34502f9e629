import { ownMaps } from '../../sourcemap/own-maps.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import { mappedFrame, withFrames } from './event-frames.ts';
import type { Fields } from '../../digest/fields.ts';

/** The application that reports by itself. */
export interface OwnApplication {
  /** Its directory; '' when it is not known. */
  readonly root: string;
  /** Maps its compiled files, named by their paths below the root. */
  readonly mapper: SourceMapper;
}

/** The maps of all of Errata's own scripts take 7 MB. */
const MAX_MAP_BYTES = 8 * 1024 * 1024;

export function ownApplication(root: string): OwnApplication {
  return { root, mapper: new SourceMapper(ownMaps(root), MAX_MAP_BYTES) };
}

/**
 * The event as people read it: with its files named relative to the application, as where it is installed is
 * nobody's concern, and in TypeScript where the compiler's maps are there. What it reads is named by the event:
 * only ever for events of this process, or a stranger could name files of ours.
 */
export async function withOwnFiles(event: Fields, { root, mapper }: OwnApplication): Promise<Fields> {
  if (root === '') return event;
  const prefix = root.endsWith('/') ? root : `${root}/`;
  return withFrames(event, async (frame) => {
    const { filename, lineno: line, colno: column } = frame;
    if (typeof filename !== 'string' || !filename.startsWith(prefix)) return frame;
    const named = { ...frame, filename: filename.slice(prefix.length) };
    if (typeof line !== 'number' || typeof column !== 'number') return named;
    const mapping = await mapper.map(named.filename, line, column);
    if (mapping.outcome !== 'mapped') return named;
    // V8's name holds more than the source's: `DemoController.serverError`.
    return { ...mappedFrame(named, mapping.frame), function: frame['function'] };
  });
}
