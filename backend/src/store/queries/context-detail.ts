import type { ContextDetail, NamedText } from '../../contract/event-api.ts';
import { type Fields, fieldsAt, isFields } from '../../digest/fields.ts';
import { columnText } from '../event/column-text.ts';
import { namedTexts, valueText } from './named-texts.ts';

const MAX_CONTEXTS = 50;
const MAX_NAME_LENGTH = 200;

/**
 * Lists the contexts of an event (`device`, `os`, `runtime`, …) and the data that the application added (`extra`).
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/contexts/
 */
export function contextDetailsOf(event: Fields): readonly ContextDetail[] {
  const contexts = Object.entries(fieldsAt(event, 'contexts'));
  return [...contexts, ['extra', event['extra']] as const]
    .map(([name, context]) => ({
      name: columnText(name, MAX_NAME_LENGTH) ?? 'context',
      values: valuesOf(name, context),
    }))
    .filter(({ values }) => values.length > 0)
    .slice(0, MAX_CONTEXTS);
}

/** Lists the values of a context, without the `type` in which SDKs repeat its name. A context that is no object is one value. */
function valuesOf(name: string, context: unknown): readonly NamedText[] {
  if (isFields(context)) {
    return namedTexts(context).filter(([key, value]) => key !== 'type' || value !== name);
  }
  const text = valueText(context);
  return text === null ? [] : [[name, text]];
}
