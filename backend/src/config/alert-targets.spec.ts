import { readConfig } from './config.ts';

const KEY = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const A = 'https://a.example/hook';
const B = 'https://b.example/hook';
const DEFAULTS = {
  service: 'json',
  filter: { on: null, kinds: null, environments: null, projects: null, level: 'error' },
  max: 10,
  perMs: 60_000,
  secret: null,
  allowsPrivate: false,
};
const ten = Array.from({ length: 10 }, (_, index) => `https://a.example/${index}`).join('\n');

function targetsOf(ERRATA_ALERTS: string) {
  return readConfig({ ERRATA_ALERTS }).alerts.map(({ url, ...target }) => ({ ...target, url: url.href }));
}

it.each<[string, readonly object[]]>([
  ['', []],
  [A, [{ ...DEFAULTS, url: A }]],
  [`\n  ${A}\n\t${B}  `, [{ url: A }, { url: B }]],
  [`${A} on=new`, [{ filter: { ...DEFAULTS.filter, on: ['issue.new'] } }]],
  [`${A} on=frequent,health`, [{ filter: { ...DEFAULTS.filter, on: ['issue.frequent', 'health'] } }]],
  [`${A} kind=browser`, [{ filter: { ...DEFAULTS.filter, kinds: ['browser'] } }]],
  [
    `${A} environment=production,qa`,
    [{ filter: { ...DEFAULTS.filter, environments: ['production', 'qa'] } }],
  ],
  [`${A} project=errors.example/1`, [{ filter: { ...DEFAULTS.filter, projects: ['errors.example/1'] } }]],
  [
    `${A} level=debug ${B} level=fatal`,
    [{ filter: { ...DEFAULTS.filter, level: 'debug' } }, { filter: { ...DEFAULTS.filter, level: 'fatal' } }],
  ],
  [`${A} max=3/m`, [{ max: 3, perMs: 60_000 }]],
  [
    `${A} max=20/h ${B} max=1/d`,
    [
      { max: 20, perMs: 3_600_000 },
      { max: 1, perMs: 86_400_000 },
    ],
  ],
  [`${A} secret=${KEY}`, [{ secret: Buffer.alloc(32, 7) }]],
  ['http://10.0.0.7/hook private=on', [{ url: 'http://10.0.0.7/hook', allowsPrivate: true }]],
  [`https://ann:p%40ss@a.example/?x=y`, [{ url: 'https://ann:p%40ss@a.example/?x=y' }]],
  [ten, Array.from({ length: 10 }, () => DEFAULTS)],
])('ERRATA_ALERTS=%j is read', (text, expected) => {
  const targets = targetsOf(text);

  expect(targets).toHaveLength(expected.length);
  expect(targets).toMatchObject(expected);
});

const NAMES = 'on, kind, environment, project, level, max, as, secret, private';
const PUBLIC = 'expected https and a public address; private=on allows http and private addresses';
const MAILTO = 'target 1: expected mail addresses such as mailto:oncall@example.com,second@example.com';
const OFFICE = 'Microsoft has switched these off; create a Workflows webhook in Teams and paste its address';

it.each([
  ['on=new', 'expected an address such as https://hooks.example/errata before the first option'],
  [`${ten} ${A}`, 'expected at most 10 targets, got 11'],
  [`${A} ${B} levle=error`, `target 2: no option "levle"; expected ${NAMES}`],
  [`${A} constructor=x`, `target 1: no option "constructor"; expected ${NAMES}`],
  [`${A} ${KEY}`, `target 1: expected options such as on=new; they are ${NAMES}`],
  [`${A} on=`, `target 1: expected options such as on=new; they are ${NAMES}`],
  [`${A} on=now`, 'target 1: on: expected new, regressed, frequent, health'],
  [`${A} on=new,`, 'target 1: on: expected values with commas between them'],
  [`${A} on=new on=regressed`, 'target 1: on is given twice'],
  [`${A} kind=mobile`, 'target 1: kind: expected server, browser'],
  [`${A} level=warn`, 'target 1: level: expected debug, info, warning, error, fatal'],
  [`${A} max=0/m`, 'target 1: max: expected a number of messages a minute, hour or day such as 10/m'],
  [`${A} max=10`, 'target 1: max: expected a number of messages a minute, hour or day such as 10/m'],
  [`${A} secret=s3cret`, 'target 1: secret: expected whsec_ and 24 to 64 bytes in base64'],
  [`${A} private=yes`, 'target 1: private: expected on, off'],
  [`${A} ${B} ${A}`, 'target 3: the same address as target 1'],
  ['http://a.example/s3cret', `target 1: ${PUBLIC}`],
  ['https://10.0.0.7/s3cret', `target 1: ${PUBLIC}`],
  ['https://[::1]/s3cret', `target 1: ${PUBLIC}`],
  ['https://169.254.169.254/ private=on', 'target 1: an address of a metadata service'],
  ['https://team.webhook.office.com/s3cret', `target 1: ${OFFICE}`],
  ['https://outlook.office.com/s3cret', `target 1: ${OFFICE}`],
  ['https://:s3cret', 'target 1: expected an address such as https://hooks.example/errata'],
  [
    `https://hooks.slack.com/services/T/B/x secret=${KEY}`,
    'target 1: secret: only for json, and this target is slack',
  ],
  [`${A} as=irc`, 'target 1: as: expected slack, teams, discord, mattermost, google, json'],
  ['mailto:oncall@example.com as=slack', 'target 1: as: not for mail'],
  ['mailto:oncall@example.com private=on', 'target 1: private: not for mail'],
  ['mailto:', MAILTO],
  ['mailto:oncall', MAILTO],
  ['mailto:a@x.example,', MAILTO],
  ['mailto:a@x.example?cc=b@x.example', MAILTO],
  ['mailto:a@x.example%0D%0ABcc:b@x.example', MAILTO],
])('ERRATA_ALERTS=%j is refused', (text, line) => {
  expect(() => targetsOf(text)).toThrow(new Error(`ERRATA_ALERTS: ${line}`));
});

it.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
  ['https://hooks.slack-gov.com/services/T0/B0/x', 'slack'],
  ['https://default1.2a.environment.api.powerplatform.com/powerautomate/x', 'teams'],
  ['https://prod-1.westeurope.logic.azure.com/workflows/x', 'teams'],
  ['https://discord.com/api/webhooks/1/x', 'discord'],
  ['https://canary.discordapp.com/api/webhooks/1/x', 'discord'],
  ['https://mattermost.example/hooks/k3m9q1w7x5r8t2y6z4abcdefgh', 'mattermost'],
  ['https://chat.googleapis.com/v1/spaces/x/messages?key=y', 'google'],
  ['https://slack.com.evil.example/services/T0/B0/x', 'json'],
  ['https://rocket.example/hooks/x as=slack', 'slack'],
  ['https://discord.com/api/webhooks/1/x as=json', 'json'],
])('the service of %s is %s', (text, service) => {
  expect(targetsOf(text)).toMatchObject([{ service }]);
});
