import { type Fields, fieldsAt, isFields, objectsIn } from '../../digest/fields.ts';

/** Members that name a person, wherever one stands in JSON that cannot be parsed: too deep, too large, cut off. */
const NAMING =
  /"(?:id|email|username|name|did|contact_email|user\.(?:id|email|name))"\s*:\s*(?:\{\s*"value"\s*:\s*)?("(?:[^"\\]|\\.){1,500}"|-?\d{1,20}\b)/g;

/** Longest name that is looked at; the store keeps less of it. */
const MAX_NAME_LENGTH = 500;

/**
 * Who an event, transaction, session, replay, log, span or feedback says it happened to, or who wrote it: email, name
 * and id. Of what is attached to it nothing is known: it goes where its envelope goes.
 */
export function namesIn(body: Fields): readonly string[] {
  const user = fieldsAt(body, 'user');
  const feedback = fieldsAt(body, 'contexts', 'feedback');
  return [
    user['id'],
    user['email'],
    user['username'],
    user['name'],
    // Sessions.
    body['did'],
    ...objectsIn(body['aggregates']).map(({ did }) => did),
    feedback['contact_email'],
    feedback['name'],
    // Older user reports: nothing else has an email at its top.
    ...(typeof body['comments'] === 'string' ? [body['email'], body['name']] : []),
    ...objectsIn(body['items']).flatMap(namedInAttributes),
  ]
    .map(nameOf)
    .filter((name) => name !== null);
}

/** Logs, spans and metrics come in lists, with attributes. */
function namedInAttributes(item: Fields): readonly unknown[] {
  const attributes = fieldsAt(item, 'attributes');
  return ['user.id', 'user.email', 'user.name'].map((name) => {
    const value = attributes[name];
    return isFields(value) ? value['value'] : value;
  });
}

/** The same of text that is no whole JSON: whatever could be a name in it. */
export function namesInText(text: string): readonly string[] {
  return [...text.matchAll(NAMING)].map(([, value = '']) => unquoted(value)).filter((name) => name !== '');
}

function unquoted(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    return '';
  }
}

function nameOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const name = String(value).slice(0, MAX_NAME_LENGTH);
  return name.trim() === '' ? null : name;
}
