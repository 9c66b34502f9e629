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

/** Maps each frame of each exception. */
export async function mapEvent(event: Fields, maps: EventMapper): Promise<MappedEvent> {
  const debugIds = debugIdsOf(event);
  const reasons: string[] = [];
  let isMapped = false;
  const mapped = await withFrames(event, async (frame) => {
    const result = await mapFrame(frame, debugIds, maps);
    if (isFields(result)) isMapped = true;
    else reasons.push(result);
    // A sender must not pass off a frame as mapped.
    return isFields(result) ? result : { ...frame, mapped: false };
  });
  return { event: mapped, isMapped, unmapped: isMapped ? null : (reasons.at(-1) ?? null) };
}

/** The event for the digest: frames that stayed minified or are a third party's script change with every build. */
export function onlyMappedFrames(event: Fields): Fields {
  const values = objectsIn(fieldsAt(event, 'exception')['values']).map((exception) => {
    const frames = objectsIn(fieldsAt(exception, 'stacktrace')['frames']);
    return { ...exception, stacktrace: { frames: frames.filter((frame) => frame['mapped'] === true) } };
  });
  return { ...event, exception: { values } };
}

/** The mapped frame, or why there is none. */
async function mapFrame(
  frame: Fields,
  debugIds: ReadonlyMap<string, string>,
  maps: EventMapper,
): Promise<Fields | string> {
  const url = textOf(frame['abs_path'], MAX_URL_LENGTH) ?? textOf(frame['filename'], MAX_URL_LENGTH) ?? '';
  const { lineno: line, colno: column } = frame;
  const script = url.replace(/[?#].*$/s, '').replace(/^.*\//s, '') || 'the script';
  if (typeof line !== 'number' || typeof column !== 'number') return `minified: ${script} has no position`;
  // The served client first: it is what we know; an event can name any debug id.
  for (const id of [maps.idOfUrl(url), debugIds.get(url)]) {
    if (id === undefined) continue;
    const mapping = await maps.mapper.map(id, line, column);
    if (mapping.outcome === 'mapped') return mappedFrame(frame, mapping.frame);
    if (mapping.outcome !== 'no_map') return `minified: ${REASONS[mapping.outcome]} ${script}`;
  }
  return `minified: ${REASONS.no_map} ${script}`;
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
