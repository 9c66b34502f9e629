import type { AuditEntry } from '@errata/backend/contract/access-api.ts';
import { actionLabel, targetPath } from './audit-log.tsx';

it('words an action as the middle of a sentence', () => {
  expect(actionLabel('read')).toBe('read');
});

it('shows an action it does not know as it is called', () => {
  expect(actionLabel('moved_house')).toBe('moved house');
});

it.each<[AuditEntry['action'], string | null, string | null]>([
  ['read', '7KQ4-M2XD', '/console/e/7KQ4-M2XD'],
  ['download', '0'.repeat(32), `/console/e/${'0'.repeat(32)}`],
  ['find', 'cart & "total"', '/console?q=cart+%26+%22total%22'],
  ['set_status', '7KQ4-M2XD, 9XWE-H3V7', null],
  ['erase', 'ann@example.org', null],
  ['revoke', 'ann', null],
  ['sign_in', null, null],
])('leads from %s of %s to %s', (action, target, path) => {
  expect(targetPath({ action, target })).toBe(path);
});
