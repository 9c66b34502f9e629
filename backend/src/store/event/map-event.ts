import type { SourceMapper } from '../../sourcemap/source-mapper.ts';
import { mappedFrame, withFrames } from './event-frames.ts';
import { type Fields, fieldsAt, isFields, numberOf, objectsIn } from '../../digest/fields.ts';
import { columnText } from './column-text.ts';

/** The source maps for the stacks of events. */
export interface EventMapper {
  readonly mapper: SourceMapper;
  /** Ids by which the mapper may know a script, the most certain first; none for a foreign script. */
  readonly idsOf: (script: NamedScript) => readonly string[];
  /** Returns why a script of that name has no map, or one that is not that of the script. */
  readonly unfit?: (script: NamedScript) => string | undefined;
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
  /** Host by which the event's sender knows this server. The event's own page proves nothing. */
  readonly host: string | null;
  /** The event's project. */
  readonly project: string;
}

/** What the server knows of an event's sender. */
type Sender = Pick<NamedScript, 'host' | 'project'>;

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
interface FrameScript extends NamedScript {
  /** File and release, shown in the console. */
  readonly name: string;
  readonly ids: readonly string[];
}

/** Maps each frame of the stacks. */
export async function mapEvent(event: Fields, sender: Sender, maps: EventMapper): Promise<MappedEvent> {
  const scriptOf = scriptsOf(event, sender, maps);
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
    const result = mapFrame(frame, scriptOf(frame), maps);
    return result instanceof Promise ? result.then((later) => apply(frame, later)) : apply(frame, result);
  });
  return { event: mapped, isMapped, unmapped: isMapped ? null : (reasons.at(-1) ?? null) };
}

/** Returns a function that finds the script of a frame; the frames of one stack share few. */
function scriptsOf(
  event: Fields,
  { host, project }: Sender,
  maps: EventMapper,
): (frame: Fields) => FrameScript {
  const debugIds = debugIdsOf(event);
  const release = columnText(event['release'], MAX_RELEASE_LENGTH);
  const known = new Map<string, FrameScript>();
  return (frame) => {
    const url =
      columnText(frame['abs_path'], MAX_URL_LENGTH) ?? columnText(frame['filename'], MAX_URL_LENGTH) ?? '';
    const found = known.get(url);
    if (found !== undefined) return found;
    const name = (fileOf(url) || 'the script') + (release === null ? '' : ` of release ${release}`);
    const script = { url, debugId: debugIds.get(url) ?? null, release, host, project };
    const named = { ...script, name, ids: maps.idsOf(script) };
    known.set(url, named);
    return named;
  };
}

function fileOf(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
}

/** Returns the mapped frame, or the reason why it is not mapped; without a promise where no read is needed. */
function mapFrame(
  frame: Fields,
  script: FrameScript,
  maps: EventMapper,
): Fields | string | Promise<Fields | string> {
  const [line, column] = [numberOf(frame['lineno']), numberOf(frame['colno'])];
  if (Number.isNaN(line + column)) return `minified: ${script.name} has no position`;
  if (script.ids.length === 0) return noMap(script, maps);
  return mapIn(script, maps, { frame, line, column });
}

async function mapIn(
  script: FrameScript,
  maps: EventMapper,
  { frame, line, column }: { readonly frame: Fields; readonly line: number; readonly column: number },
): Promise<Fields | string> {
  for (const id of script.ids) {
    const mapping = await maps.mapper.map(id, line, column);
    if (mapping.outcome === 'mapped') return mappedFrame(frame, mapping.frame);
    if (mapping.outcome !== 'no_map') return reasonFor(mapping.outcome, script.name);
  }
  return noMap(script, maps);
}

function noMap(script: FrameScript, maps: EventMapper): string {
  const unfit = maps.unfit?.(script);
  return unfit === undefined
    ? `minified: no source map for ${script.name}; neither the served client nor a stored earlier one has a map of it`
    : `minified: no source map for ${script.name}, because ${unfit}`;
}

function reasonFor(outcome: 'bad_map' | 'no_position', script: string): string {
  switch (outcome) {
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
