import { DAY_MS, HOUR_MS } from '../../time/iso.ts';
import { expectedInstead, typedValue } from './typed-values.ts';

const DAY = Date.UTC(2026, 10, 28);

function spanFrom(fromMs: number, lengthMs: number) {
  return { span: { fromMs, toMs: fromMs + lengthMs } };
}

describe('typedValue', () => {
  it.each([
    ['level', 'fatal', { level: 'fatal' }],
    ['level', ' FATAL ', { level: 'fatal' }],
    ['is', 'Regressed', { is: 'regressed' }],
    ['last', '30m', { span: { lastMs: HOUR_MS / 2 } }],
    ['last', '7D', { span: { lastMs: 7 * DAY_MS } }],
    ['at', '2026-11-28', spanFrom(DAY, DAY_MS)],
    ['at', '2026-11-28t14', spanFrom(DAY + 14 * HOUR_MS, HOUR_MS)],
    ['at', '2026-11-28T14..2026-11-28T16', spanFrom(DAY + 14 * HOUR_MS, 3 * HOUR_MS)],
    ['at', '2026-11-27T23..2026-11-28', spanFrom(DAY - HOUR_MS, DAY_MS + HOUR_MS)],
    ['at', '2026-11-28T14..2026-11-28', spanFrom(DAY + 14 * HOUR_MS, 10 * HOUR_MS)],
    ['user', 'ann', undefined],
  ] as const)('reads %s:%s', (field, value, expected) => {
    expect(typedValue(field, value)).toEqual(expected);
    expect(expectedInstead(field, value)).toBeNull();
  });

  it.each([
    ['level', 'high'],
    ['level', ''],
    ['is', 'unresolved'],
    ['last', '0h'],
    ['last', '24'],
    ['last', '1.5h'],
    ['last', '99999d'],
    ['at', '2026-02-31'],
    ['at', '2026-11-28T24'],
    ['at', '2026-11-28T14:30'],
    ['at', '2026-11-28..2026-11-27'],
    ['at', '2026-11-28..'],
    ['at', '..'],
    ['at', '2026-11-26..2026-11-27..2026-11-28'],
    ['at', 'index.js:3'],
  ] as const)('has no meaning for %s:%s', (field, value) => {
    expect(typedValue(field, value)).toBeNull();
    expect(expectedInstead(field, value)).not.toBeNull();
  });
});
