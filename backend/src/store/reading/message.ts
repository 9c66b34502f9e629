import { type Fields, fieldsAt, isFields } from '../../digest/fields.ts';
import { lenientText } from './lenient-text.ts';

/** The message of an event. */
export interface EventMessage {
  /** Without its parameters: the same for all events of one line of code. */
  readonly template: string;
  readonly text: string;
}

/** Longer templates are hostile: SDKs cut messages at 8 KiB. */
const MAX_TEMPLATE_LENGTH = 8_192;
/** A placeholder of Python, C, Go and Objective-C: `%s`, `%5.2f`, `%(name)s`; `%%` is a percent sign. */
const PERCENT =
  /%(?:%|(?:\((?<name>[^()]{1,100})\))?[-#0+]{0,5}\d{0,5}(?:\.\d{1,5})?(?:hh?|ll?)?[sdiuoxXeEfFgGcravqtT@])/g;
/** A placeholder of Python, .NET, Java and Rust: `{}`, `{0}`, `{name}`, `{0:N2}`. */
const BRACES = /\{(?<name>[\w.@$-]{0,100})(?:[:!,][^{}]{0,100})?\}/g;

/**
 * Returns the message of a normal event; null without one. The text is `formatted`, else what the SDK says beside the
 * template, else the template with its parameters. It must be read from a scrubbed event where people see it: scrubbing
 * knows the names of the parameters.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/event-payloads/message/
 */
export function messageOf(event: Fields): EventMessage | null {
  const { message, formatted, params } = fieldsAt(event, 'logentry');
  const [template, whole, said] = [message, formatted, event['message']].map(textOf);
  const text =
    whole ?? said ?? (template === null || template === undefined ? null : filled(template, params));
  return text === null ? null : { template: template ?? whole ?? said ?? text, text };
}

function textOf(value: unknown): string | null {
  const text = lenientText(value);
  return text === null || text.trim() === '' ? null : text;
}

/** Fills the placeholders; one without a parameter stays. */
function filled(template: string, params: unknown): string {
  if (params === null || params === undefined || template.length > MAX_TEMPLATE_LENGTH) return template;
  const named = isFields(params) ? params : {};
  const listed = Array.isArray(params) ? params : isFields(params) ? [] : [params];
  let next = 0;
  const fill = (placeholder: string, name: string | undefined): string => {
    if (placeholder === '%%') return '%';
    if (name === undefined || name === '') return lenientText(listed[next++]) ?? placeholder;
    const byName = Object.hasOwn(named, name) ? named[name] : undefined;
    return lenientText(byName ?? listed[Number(name)]) ?? placeholder;
  };
  const style = template.search(PERCENT) === -1 ? BRACES : PERCENT;
  return template.replace(style, (placeholder, ...groups) => fill(placeholder, nameIn(groups.at(-1))));
}

function nameIn(groups: unknown): string | undefined {
  const { name } = fieldsAt(groups);
  return typeof name === 'string' ? name : undefined;
}
