import { createLog } from '../../telemetry/log.ts';
import { countBy, Metrics } from '../../telemetry/metrics.ts';
import type { ClientIp } from '../../net/client-address.ts';
import { SIGN_IN_OUTCOMES, SignInRecord } from './sign-in-record.ts';

/** Makes a record with a clock, and the lines of its log without their times. */
function recordOf(clientIp: ClientIp = 'full') {
  const clock = { nowMs: 0 };
  const lines: object[] = [];
  const write = (line: string) => void lines.push({ ...(JSON.parse(line) as object), time: undefined });
  const count = countBy(new Metrics().signIns, SIGN_IN_OUTCOMES);
  return {
    record: new SignInRecord(count, createLog('info', { write }), clientIp, () => clock.nowMs),
    clock,
    lines,
  };
}

it('logs a network and an outcome once a minute, with the number since the line before', () => {
  const { record, clock, lines } = recordOf();
  const refused = { level: 'warn', msg: 'sign_in_refused', outcome: 'wrong', network: '2001:db8:0::' };

  for (clock.nowMs of [0, 1, 59_999, 60_000]) record.add('wrong', `2001:db8:0:${clock.nowMs}::1`);
  record.add('accepted', '192.0.2.1');

  expect(lines).toEqual([
    { ...refused, count: 1 },
    { ...refused, count: 3 },
    { level: 'info', msg: 'sign_in', outcome: 'accepted', network: '192.0.2.1', count: 1 },
  ]);
});

it('logs sixty refused sign-ins a minute at most, and every one that was accepted', () => {
  const { record, clock, lines } = recordOf();

  for (let host = 0; host < 200; host += 1) record.add('limited', `198.51.100.${host}`);
  record.add('accepted', '192.0.2.1');
  const first = lines.length;
  clock.nowMs = 60_000;
  record.add('limited', '198.51.100.199');

  expect([first, ...lines.slice(60)]).toMatchObject([
    61,
    { outcome: 'accepted' },
    { outcome: 'limited', count: 2 },
  ]);
});

it.each<[ClientIp, string | null]>([
  ['truncated', '198.51.100.0'],
  ['none', null],
])('logs of an address what ERRATA_CLIENT_IP=%s leaves', (clientIp, network) => {
  const { record, lines } = recordOf(clientIp);

  record.add('wrong', '198.51.100.7');

  expect(lines).toMatchObject([{ network }]);
});
