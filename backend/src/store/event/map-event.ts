import type { Mapping, SourceMapper } from '../../sourcemap/source-mapper.ts';
import { mappedFrame, withFrames } from './event-frames.ts';
import { type Fields, fieldsAt, isFields, numberOf, objectsIn } from '../../digest/fields.ts';
import { columnText } from './column-text.ts';

/** The source maps for the stacks of events. */
export interface EventMapper {
  readonly mapper: SourceMapper;
  /** Ids by which the mapper may know a script, the most certain first; none for a foreign script. */
  readonly idsOf: (script: NamedScript) => readonly string[];
  /** Called before each batch. @throws when the database is unreachable. */
  readonly refresh?: () => Promise<void>;
}

/** A script as named by an event. */
export interface NamedScript {
  readonly url: string;
  /** Null where the SDK did not send it. */
  readonly debugId: string | null;
  /** Release of the event. */
  readonly release: string | null;
}

/** A browser event whose frames have their original positions where maps exist. */
export interface MappedEvent {
  readonly event: Fields;
  /** Whether any frame was mapped: only then its frames enter the digest. */
  readonly isMapped: boolean;
  /** Why no frame was mapped, shown in the console; null where one was, or without a stack. */
  readonly unmapped: string | null;
}

const MAX_URL_LENGTH = 2_048;
/** Sentry's own limit. */
const MAX_RELEASE_LENGTH = 250;

/** A script in a stack. */
interface FrameScript {
  /** File and release, shown in the console. */
  readonly name: string;
  readonly ids: readonly string[];
}

/** Maps each frame of the stacks. */
export async function mapEvent(event: Fields, maps: EventMapper): Promise<MappedEvent> {
  const scriptOf = scriptsOf(event, maps);
  const reasons: string[] = [];
  let isMapped = false;
  const apply = (frame: Fields, result: Fields | string): Fields => {
    if (isFields(result)) isMapped = true;
    else reasons.push(result);
    if (isFields(result)) return result;
    // A client must not be able to mark a frame as mapped.
    return frame['mapped'] === undefined ? frame : { ...frame, mapped: false };
  };
  const mapped = await withFrames(event, (frame) => {
    const result = mapFrame(frame, scriptOf(frame), maps.mapper);
    return result instanceof Promise ? result.then((later) => apply(frame, later)) : apply(frame, result);
  });
  return { event: mapped, isMapped, unmapped: isMapped ? null : (reasons.at(-1) ?? null) };
}

/** Returns a function that finds the script of a frame; the frames of one stack share few. */
function scriptsOf(event: Fields, maps: EventMapper): (frame: Fields) => FrameScript {
  const debugIds = debugIdsOf(event);
  const release = columnText(event['release'], MAX_RELEASE_LENGTH);
  const known = new Map<string, FrameScript>();
  return (frame) => {
    const url =
      columnText(frame['abs_path'], MAX_URL_LENGTH) ?? columnText(frame['filename'], MAX_URL_LENGTH) ?? '';
    const script = known.get(url) ?? {
      name: (fileOf(url) || 'the script') + (release === null ? '' : ` of release ${release}`),
      ids: maps.idsOf({ url, debugId: debugIds.get(url) ?? null, release }),
    };
    known.set(url, script);
    return script;
  };
}

function fileOf(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
}

/** Returns the mapped frame, or the reason why it is not mapped; without a promise where no read is needed. */
function mapFrame(
  frame: Fields,
  script: FrameScript,
  mapper: SourceMapper,
): Fields | string | Promise<Fields | string> {
  const [line, column] = [numberOf(frame['lineno']), numberOf(frame['colno'])];
  if (Number.isNaN(line + column)) return `minified: ${script.name} has no position`;
  if (script.ids.length === 0) return reasonFor('no_map', script.name);
  return mapIn(script, mapper, { frame, line, column });
}

async function mapIn(
  { name, ids }: FrameScript,
  mapper: SourceMapper,
  { frame, line, column }: { readonly frame: Fields; readonly line: number; readonly column: number },
): Promise<Fields | string> {
  for (const id of ids) {
    const mapping = await mapper.map(id, line, column);
    if (mapping.outcome === 'mapped') return mappedFrame(frame, mapping.frame);
    if (mapping.outcome !== 'no_map') return reasonFor(mapping.outcome, name);
  }
  return reasonFor('no_map', name);
}

function reasonFor(outcome: Exclude<Mapping['outcome'], 'mapped'>, script: string): string {
  switch (outcome) {
    case 'no_map':
      return `minified: no source map for ${script}; neither the served client nor a stored earlier one has that script`;
    case 'bad_map':
      return `minified: the source map of ${script} cannot be read`;
    case 'no_position':
      return `minified: the source map of ${script} has no such position`;
  }
}

/** @see https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/debugmeta/ */
function debugIdsOf(event: Fields): ReadonlyMap<string, string> {
  const images = objectsIn(fieldsAt(event, 'debug_meta')['images']);
  return new Map(
    images.flatMap(({ type, code_file: url, debug_id: id }) =>
      type === 'sourcemap' && typeof url === 'string' && typeof id === 'string' ? [[url, id]] : [],
    ),
  );
}
