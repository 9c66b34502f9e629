import { readConfig } from './config.ts';

const FROM = '?from=errata@x.example';
const MAIL = {
  host: 'mail.example',
  port: 587,
  isSecure: false,
  requiresTls: false,
  login: null,
  from: 'errata@x.example',
};

it.each([
  [`smtp://mail.example${FROM}`, MAIL],
  [`smtp://mail.example:25/${FROM}`, { ...MAIL, port: 25 }],
  [`smtps://mail.example${FROM}`, { ...MAIL, port: 465, isSecure: true }],
  [
    'smtp://ann%40x.example:p%40ss%3F@mail.example',
    {
      ...MAIL,
      requiresTls: true,
      login: { user: 'ann@x.example', password: 'p@ss?' },
      from: 'ann@x.example',
    },
  ],
  [
    `smtps://ann:p@mail.example${FROM}`,
    { ...MAIL, port: 465, isSecure: true, login: { user: 'ann', password: 'p' } },
  ],
  [`smtp://ann:p@localhost${FROM}`, { ...MAIL, host: 'localhost', login: { user: 'ann', password: 'p' } }],
  [`smtp://ann:p@127.0.0.1${FROM}`, { ...MAIL, host: '127.0.0.1', login: { user: 'ann', password: 'p' } }],
  [`smtp://ann:p@[::1]${FROM}`, { ...MAIL, host: '::1', login: { user: 'ann', password: 'p' } }],
])('ERRATA_SMTP_URL=%s is read', (ERRATA_SMTP_URL, expected) => {
  expect(readConfig({ ERRATA_SMTP_URL }).smtp).toEqual(expected);
});

it.each([
  `https://mail.example${FROM}`,
  `smtp://ann@mail.example${FROM}`,
  `smtp://:p@mail.example${FROM}`,
  `smtp://ann:%ff@mail.example${FROM}`,
  `smtp://mail.example/path${FROM}`,
  `smtp://mail.example${FROM}#x`,
  `smtp://mail.example${FROM}&tls=off`,
  'smtp://mail.example?sender=errata@x.example',
  'smtp://mail.example?from=errata@x.example%0D%0ABcc:m@evil.example',
  'smtp://mail.example?from=a@x.example,b@x.example',
  `smtp:mail.example${FROM}`,
])('ERRATA_SMTP_URL=%s is refused with a line that does not quote it', (ERRATA_SMTP_URL) => {
  expect(() => readConfig({ ERRATA_SMTP_URL })).toThrow(
    new Error(
      'ERRATA_SMTP_URL: expected an address such as smtps://user:password@mail.example:465?from=errata@example.com',
    ),
  );
});

it('a sender and a mail server are needed', () => {
  const ERRATA_ALERTS = 'https://a.example/ mailto:a@x.example';

  expect(() => readConfig({ ERRATA_ALERTS })).toThrow(
    new Error('ERRATA_ALERTS: target 2: mail needs ERRATA_SMTP_URL'),
  );
  expect(() => readConfig({ ERRATA_ALERTS, ERRATA_SMTP_URL: 'smtp://mail.example' })).toThrow(
    new Error('ERRATA_SMTP_URL: names no sender; add ?from=errata@example.com, or set ERRATA_PUBLIC_URL'),
  );
  expect(
    readConfig({
      ERRATA_ALERTS,
      ERRATA_SMTP_URL: 'smtp://mail.example',
      ERRATA_PUBLIC_URL: 'https://e.example',
    }),
  ).toMatchObject({ alerts: [{ service: 'json' }, { service: 'mail', max: 10, perMs: 3_600_000 }] });
});
