import type { OriginalFrame } from '../../sourcemap/parsed-script.ts';
import type { Mapping, SourceMapper } from '../../sourcemap/source-mapper.ts';
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

/** Sentry SDKs keep 50; a longer stack is cut to its innermost ones. */
const MAX_FRAMES = 100;
/** What an SDK sends at most is 6. */
const MAX_EXCEPTIONS = 20;
const MAX_FRAMES_WITH_SOURCE = 10;
const MAX_URL_LENGTH = 2_048;

/**
 * Maps each frame of each exception. A frame that was mapped is marked (`mapped`), says whose code it is
 * (`in_app`), and has its source lines in Sentry's own members.
 */
export async function mapEvent(event: Fields, maps: EventMapper): Promise<MappedEvent> {
  const debugIds = debugIdsOf(event);
  const reasons: string[] = [];
  let isMapped = false;
  const values: Fields[] = [];
  for (const exception of objectsIn(fieldsAt(event, 'exception')['values']).slice(-MAX_EXCEPTIONS)) {
    const frames: Fields[] = [];
    for (const frame of objectsIn(fieldsAt(exception, 'stacktrace')['frames']).slice(-MAX_FRAMES)) {
      const result = await mapFrame(frame, debugIds, maps);
      if (isFields(result)) isMapped = true;
      else reasons.push(result);
      // A sender must not pass off a frame as mapped.
      frames.push(isFields(result) ? result : { ...frame, mapped: false });
    }
    values.push({
      ...exception,
      stacktrace: { ...fieldsAt(exception, 'stacktrace'), frames: nearSource(frames) },
    });
  }
  if (values.length === 0) return { event, isMapped, unmapped: null };
  const mapped = { ...event, exception: { ...fieldsAt(event, 'exception'), values } };
  return { event: mapped, isMapped, unmapped: isMapped ? null : (reasons.at(-1) ?? null) };
}

/** Source lines stay with the innermost own frames only: with all of them an event is ten times its size. */
function nearSource(frames: readonly Fields[]): readonly Fields[] {
  const near = new Set(frames.filter((frame) => frame['in_app'] === true).slice(-MAX_FRAMES_WITH_SOURCE));
  return frames.map((frame) =>
    near.has(frame) || frame['mapped'] !== true
      ? frame
      : { ...frame, pre_context: undefined, context_line: undefined, post_context: undefined },
  );
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
    if (mapping.outcome === 'mapped') return asSentryFrame(frame, mapping.frame);
    if (mapping.outcome !== 'no_map') return `minified: ${REASONS[mapping.outcome]} ${script}`;
  }
  return `minified: ${REASONS.no_map} ${script}`;
}

const REASONS: Readonly<Record<Exclude<Mapping['outcome'], 'mapped'>, string>> = {
  no_map: 'no source map for',
  bad_map: 'the source map cannot be read of',
  no_position: 'the source map knows no such position in',
};

function asSentryFrame(generated: Fields, original: OriginalFrame): Fields {
  const textsOf = (isWanted: (number: number) => boolean): readonly string[] =>
    original.source.filter(({ number }) => isWanted(number)).map(({ text }) => text);
  return {
    filename: original.file,
    function: original.function ?? undefined,
    lineno: original.line,
    colno: original.column,
    in_app: original.isOwn,
    pre_context: textsOf((number) => number < original.line),
    context_line: textsOf((number) => number === original.line)[0],
    post_context: textsOf((number) => number > original.line),
    mapped: true,
    abs_path: generated['abs_path'] ?? generated['filename'],
  };
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
