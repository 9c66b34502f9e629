import type {
  EventDetail,
  EventSummary,
  ExceptionDetail,
  FrameDetail,
  SourceLine,
} from '../../contract/event-api.ts';
import { referenceOf } from '../../digest/crockford.ts';
import { titleOf } from '../ingest/event-facts.ts';
import { tagsOf } from '../ingest/event-digest.ts';
import { type Fields, fieldsAt, objectsIn, textOf } from '../ingest/fields.ts';
import { decodeStoredEvent } from '../stored-event.ts';
import { timeText } from './time-text.ts';

/** Columns of an event that every answer shows. */
export interface EventRow {
  readonly event_id: string;
  readonly occurred_ms: number;
  readonly release: string | null;
  readonly environment: string | null;
  readonly path: string | null;
  readonly browser: string | null;
}

export interface EventBodyRow extends EventRow {
  readonly payload: Uint8Array;
  readonly digest: string;
  readonly dsn: string;
}

const MAX_TEXT_LENGTH = 8_192;
const MAX_FILE_LENGTH = 1_024;

export function eventSummaryOf(row: EventRow): EventSummary {
  return {
    eventId: row.event_id,
    reference: referenceOf(row.event_id),
    time: timeText(row.occurred_ms),
    path: row.path,
    browser: row.browser,
    release: row.release,
    environment: row.environment,
  };
}

export function eventDetailOf(row: EventBodyRow): EventDetail {
  const { event, unmapped, isBrief } = decodeStoredEvent(row.payload);
  return {
    ...eventSummaryOf(row),
    project: row.dsn,
    digest: row.digest,
    title: titleOf(event, row.path),
    exceptions: exceptionsOf(event),
    unmapped,
    tags: Object.fromEntries(tagsOf(event)),
    ...(isBrief ? { brief: true } : {}),
  };
}

/** What was thrown first: Sentry lists the oldest cause first, and frames the outermost call first. */
function exceptionsOf(event: Fields): readonly ExceptionDetail[] {
  const { exception } = event;
  const values = Array.isArray(exception) ? exception : fieldsAt(exception)['values'];
  return objectsIn(values)
    .toReversed()
    .map((value) => ({
      type: textOf(value['type'], MAX_TEXT_LENGTH) ?? 'Error',
      value: textOf(value['value'], MAX_TEXT_LENGTH) ?? '',
      frames: objectsIn(fieldsAt(value, 'stacktrace')['frames']).toReversed().map(frameOf),
    }));
}

function frameOf(frame: Fields): FrameDetail {
  const file = textOf(frame['filename'], MAX_FILE_LENGTH) ?? textOf(frame['abs_path'], MAX_FILE_LENGTH);
  const line = numberOf(frame['lineno']);
  const name = textOf(frame['function'], MAX_FILE_LENGTH);
  return {
    file: file ?? '<unknown>',
    function: name === '?' ? null : name,
    line,
    column: numberOf(frame['colno']),
    own: frame['in_app'] === true,
    mapped: frame['mapped'] === true,
    source: line === null ? [] : sourceOf(frame, line),
  };
}

function sourceOf(frame: Fields, line: number): readonly SourceLine[] {
  const before = textsOf(frame['pre_context']);
  const failing = typeof frame['context_line'] === 'string' ? [frame['context_line']] : [];
  if (failing.length === 0) return [];
  const first = line - before.length;
  return [...before, ...failing, ...textsOf(frame['post_context'])].map((text, index) => ({
    number: first + index,
    text: text.slice(0, MAX_TEXT_LENGTH),
  }));
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
