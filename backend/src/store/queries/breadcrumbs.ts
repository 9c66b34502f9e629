import type { TimelineEntry } from '../../contract/event-api.ts';
import { cut } from '../../scrub/cut.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { columnText } from '../event/column-text.ts';
import { valueText } from './named-texts.ts';

/** Characters of a line of the timeline. */
const MAX_TEXT_LENGTH = 500;
const MAX_CATEGORY_LENGTH = 64;

type Level = TimelineEntry['level'];

/** Sentry's levels, and the names that other loggers have for them. */
const LEVELS: ReadonlyMap<unknown, Level> = new Map<unknown, Level>([
  ['debug', 'debug'],
  ['trace', 'debug'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['error', 'error'],
  ['fatal', 'error'],
  ['critical', 'error'],
]);

export function levelOf(level: unknown, fallback: Level): Level {
  return LEVELS.get(level) ?? (typeof level === 'string' ? 'info' : fallback);
}

/**
 * Describes a breadcrumb in one line.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/breadcrumbs/
 */
export function breadcrumbLine(crumb: Fields): Pick<TimelineEntry, 'category' | 'text' | 'level'> {
  const category =
    columnText(crumb['category'], MAX_CATEGORY_LENGTH) ??
    columnText(crumb['type'], MAX_CATEGORY_LENGTH) ??
    'default';
  const text = requestLine(crumb) ?? navigationLine(crumb) ?? saidLine(crumb) ?? '';
  return { category, text: cut(text, MAX_TEXT_LENGTH), level: levelOf(crumb['level'], 'info') };
}

/** Makes `POST /api/checkout → 500` from a breadcrumb with a URL: `fetch`, `xhr`, `http` and others. */
function requestLine(crumb: Fields): string | null {
  const { url, method, status_code: status, reason } = fieldsAt(crumb, 'data');
  const address = valueText(url, MAX_TEXT_LENGTH);
  if (address === null) return null;
  const end = valueText(status) ?? valueText(reason);
  return [valueText(method), address, ...(end === null ? [] : ['→', end])]
    .filter((part) => part !== null)
    .join(' ');
}

function navigationLine(crumb: Fields): string | null {
  const { from, to } = fieldsAt(crumb, 'data');
  const [origin, target] = [valueText(from, MAX_TEXT_LENGTH), valueText(to, MAX_TEXT_LENGTH)];
  if (target === null) return null;
  return origin === null ? target : `${origin} → ${target}`;
}

/** Returns the message of a breadcrumb, else its data. */
function saidLine({ message, data }: Fields): string | null {
  return columnText(message, MAX_TEXT_LENGTH) ?? valueText(data, MAX_TEXT_LENGTH);
}
