import { ownMaps } from '../../sourcemap/own-maps.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import { mappedFrame, withFrames } from './event-frames.ts';
import type { Fields } from '../../digest/fields.ts';

/** The application of this process, whose errors Errata's own reporting sends. */
export interface OwnApplication {
  /** Its directory; '' when unknown. */
  readonly root: string;
  /** Maps its compiled files, by their paths below the root. */
  readonly mapper: SourceMapper;
}

/** The maps of all of Errata's own scripts have 7 MB. */
const MAX_MAP_BYTES = 8 * 1024 * 1024;

export function ownApplication(root: string): OwnApplication {
  return { root, mapper: new SourceMapper(ownMaps(root), MAX_MAP_BYTES) };
}

/**
 * Returns an event of this process with files relative to the application, so that the installation directory stays
 * private, and with TypeScript positions where the compiler's maps exist. It reads files that the event names, so it must
 * never get an event of another sender: a stranger could read files of this host.
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
    // V8's name contains more than the source's: `DemoController.serverError`.
    return { ...mappedFrame(named, mapping.frame), function: frame['function'] };
  });
}
