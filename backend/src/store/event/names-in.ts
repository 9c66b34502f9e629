import { type Fields, fieldsAt, isFields, objectsIn, scalarText } from '../../digest/fields.ts';
import { withCurrentNames } from '../reading/normal-event.ts';

/** Members that name a person, anywhere in JSON that cannot be parsed: too deep, too large, cut off. */
const NAMING =
  /"(?:id|email|username|name|did|contact_email|user\.(?:id|email|name))"\s*:\s*(?:\{\s*"value"\s*:\s*)?("(?:[^"\\]|\\.){1,500}"|-?\d{1,20}\b)/g;

/** Longest name that is read; the store keeps fewer characters. */
const MAX_NAME_LENGTH = 500;

/**
 * Returns the names of the user in an event, transaction, session, replay, log, span or feedback: email, name and id.
 * Attachments are not read: they are erased with their envelope.
 */
export function namesIn(posted: Fields): readonly string[] {
  const body = withCurrentNames(posted);
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
    ...objectsIn(body['items']).flatMap(namesInAttributes),
  ]
    .map(nameOf)
    .filter((name) => name !== null);
}

/** Returns the names in the attributes of a log, span or metric, which are sent in lists. */
function namesInAttributes(item: Fields): readonly unknown[] {
  const attributes = fieldsAt(item, 'attributes');
  return ['user.id', 'user.email', 'user.name'].map((name) => {
    const value = attributes[name];
    return isFields(value) ? value['value'] : value;
  });
}

/** Returns everything that could be a name in text that is not valid JSON. */
export function namesInText(text: string): readonly string[] {
  return [...text.matchAll(NAMING)].map(([, value = '']) => unquoted(value)).filter((name) => name !== '');
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return '';
  }
}

function nameOf(value: unknown): string | null {
  const name = scalarText(value)?.slice(0, MAX_NAME_LENGTH) ?? '';
  return name.trim() === '' ? null : name;
}
