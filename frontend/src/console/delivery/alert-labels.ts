import type { AlertFilter } from '@errata/backend/contract/alert-filter.ts';
import { ownLabel } from '../../ui/format/own-label.ts';
import { reasonLabel } from '../shared/reason-labels.ts';

/** What an operator can do about a code; each label can end a sentence. */
const LABELS: Readonly<Record<string, string>> = {
  EgressRefused: 'the address is private, which needs private=on',
  status_200: 'HTTP 200, not the answer of this service',
  status_401: 'HTTP 401, the service refuses the address',
  status_403: 'HTTP 403, the service refuses the address',
  status_404: 'HTTP 404, the service has no such address',
  status_410: 'HTTP 410, the service has removed the address',
  status_429: 'HTTP 429, too many messages for the service',
};

/** Returns the label of a code of the log; an unknown one is shown as it is. */
export function alertReason(code: string): string {
  const label = ownLabel(LABELS, code);
  if (label !== undefined) return label;
  const [, from, status] = /^(status|proxy)_(\d{3})$/.exec(code) ?? [];
  if (status === undefined) return reasonLabel(code.toLowerCase());
  return from === 'proxy' ? `HTTP ${status} from the proxy` : `HTTP ${status}`;
}

/** Returns which alerts a target gets, as the setting names them. */
export function filterText({ on, kinds, environments, projects, level }: AlertFilter): string {
  const events = on?.map((event) => event.replace(/^\w+\./, ''));
  const lists = [events, kinds, environments, projects].flatMap((list) => list?.join(', ') ?? []);
  return [...(lists.length === 0 ? ['all'] : lists), `${level} or higher`].join(' · ');
}
