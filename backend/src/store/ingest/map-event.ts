import type { Mapping, SourceMapper } from '../../sourcemap/source-mapper.ts';
import { mappedFrame, withFrames } from './event-frames.ts';
import { type Fields, fieldsAt, isFields, objectsIn, textOf } from './fields.ts';

/** The source maps an event's stack is looked up in. */
export interface EventMapper {
  readonly mapper: SourceMapper;
  /** What stands in for a debug id where the SDK did not know it; undefined when the URL is none of ours. */
  readonly idOfUrl: (url: string) => string | undefined;
}

/** A browser event whose frames are the source's, as far as there are maps. */
export interface MappedEvent {
  readonly event: Fields;
  /** Whether the stack says where in the source the fault is: only then may its frames enter the digest. */
  readonly isMapped: boolean;
  /** Why not, in words for people; null when it does, or when there is no stack. */
  readonly unmapped: string | null;
}

const MAX_URL_LENGTH = 2_048;

/** A script that frames name. */
interface Script {
  readonly name: string;
  /** What its map may be found by: the served client first, as that is what we know; an event can name any debug id. */
  readonly ids: readonly string[];
}

/** Maps each frame of each exception. */
export async function mapEvent(event: Fields, maps: EventMapper): Promise<MappedEvent> {
  const scriptOf = scriptsOf(event, maps);
  const reasons: string[] = [];
  let isMapped = false;
  const take = (frame: Fields, result: Fields | string): Fields => {
    if (isFields(result)) isMapped = true;
    else reasons.push(result);
    if (isFields(result)) return result;
    // A sender must not pass off a frame as mapped.
    return frame['mapped'] === undefined ? frame : { ...frame, mapped: false };
  };
  const mapped = await withFrames(event, (frame) => {
    const result = mapFrame(frame, scriptOf(frame), maps.mapper);
    return result instanceof Promise ? result.then((later) => take(frame, later)) : take(frame, result);
  });
  return { event: mapped, isMapped, unmapped: isMapped ? null : (reasons.at(-1) ?? null) };
}

/** The event for the digest: frames that stayed minified or are a third party's script change with every build. */
export function onlyMappedFrames({ event, isMapped }: MappedEvent): Fields {
  const values = objectsIn(fieldsAt(event, 'exception')['values']);
  if (!isMapped) return { ...event, exception: { values } };
  const reduced = values.map((exception) => {
    const frames = objectsIn(fieldsAt(exception, 'stacktrace')['frames']);
    return { ...exception, stacktrace: { frames: frames.filter((frame) => frame['mapped'] === true) } };
  });
  return { ...event, exception: { values: reduced } };
}

/** The script of a frame; the frames of one stack share few. */
function scriptsOf(event: Fields, maps: EventMapper): (frame: Fields) => Script {
  const debugIds = debugIdsOf(event);
  const known = new Map<string, Script>();
  return (frame) => {
    const url = textOf(frame['abs_path'], MAX_URL_LENGTH) ?? textOf(frame['filename'], MAX_URL_LENGTH) ?? '';
    const script = known.get(url) ?? {
      name: url.replace(/[?#].*$/s, '').replace(/^.*\//s, '') || 'the script',
      ids: [maps.idOfUrl(url), debugIds.get(url)].filter((id) => id !== undefined),
    };
    known.set(url, script);
    return script;
  };
}

/** The mapped frame, or why there is none; at once where there is nothing to look up. */
function mapFrame(
  frame: Fields,
  script: Script,
  mapper: SourceMapper,
): Fields | string | Promise<Fields | string> {
  const { lineno: line, colno: column } = frame;
  if (typeof line !== 'number' || typeof column !== 'number')
    return `minified: ${script.name} has no position`;
  if (script.ids.length === 0) return `minified: ${REASONS.no_map} ${script.name}`;
  return mapIn(script, mapper, { frame, line, column });
}

async function mapIn(
  { name, ids }: Script,
  mapper: SourceMapper,
  { frame, line, column }: { readonly frame: Fields; readonly line: number; readonly column: number },
): Promise<Fields | string> {
  for (const id of ids) {
    const mapping = await mapper.map(id, line, column);
    if (mapping.outcome === 'mapped') return mappedFrame(frame, mapping.frame);
    if (mapping.outcome !== 'no_map') return `minified: ${REASONS[mapping.outcome]} ${name}`;
  }
  return `minified: ${REASONS.no_map} ${name}`;
}

const REASONS: Readonly<Record<Exclude<Mapping['outcome'], 'mapped'>, string>> = {
  no_map: 'no source map for',
  bad_map: 'the source map cannot be read of',
  no_position: 'the source map knows no such position in',
};

/** @see https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/debugmeta/ */
function debugIdsOf(event: Fields): ReadonlyMap<string, string> {
  const images = objectsIn(fieldsAt(event, 'debug_meta')['images']);
  return new Map(
    images.flatMap(({ type, code_file: url, debug_id: id }) =>
      type === 'sourcemap' && typeof url === 'string' && typeof id === 'string' ? [[url, id]] : [],
    ),
  );
}
