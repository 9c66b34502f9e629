import { type Fields, fieldsAt } from '../../digest/fields.ts';

/**
 * Returns the event with the SDK that sent it, where the event itself names none: SDKs older than `sdk` name themselves
 * only in the request, as `raven-ruby/3.1.2`.
 */
export function withSdk(event: Fields, client: string | null): Fields {
  const sdk = fieldsAt(event, 'sdk');
  if (client === null || (typeof sdk['name'] === 'string' && sdk['name'] !== '')) return event;
  const [name, version = sdk['version']] = client.split('/', 2);
  return { ...event, sdk: { ...sdk, name, version } };
}
