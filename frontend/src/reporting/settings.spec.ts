/** @jest-environment jest-fixed-jsdom */
import { completeSettings, hasDsn, readHelp, readSettings } from './settings.ts';

function pageWith(content: string): Document {
  const page = document.implementation.createHTMLDocument();
  const meta = page.createElement('meta');
  meta.name = 'errata';
  meta.content = content;
  page.head.append(meta);
  return page;
}

const SETTINGS = {
  dsn: 'https://key@errata.example/1',
  basePath: '',
  tunnel: '/tunnel',
  release: '1.4.2',
  environment: 'production',
  demo: true,
};

it('reads what the server wrote into the page', () => {
  expect(readSettings(pageWith(JSON.stringify(SETTINGS)))).toEqual(SETTINGS);
});

it('takes the demo for switched off when the server does not say', () => {
  const { demo: _demo, ...rest } = SETTINGS;

  expect(readSettings(pageWith(JSON.stringify(rest)))?.demo).toBe(false);
});

it('has no release where the server knows none of the client', () => {
  const { release: _release, ...rest } = SETTINGS;

  expect(readSettings(pageWith(JSON.stringify(rest)))).toEqual({ ...SETTINGS, release: '' });
});

it.each([
  ['the placeholder', '%ERRATA_SETTINGS%'],
  ['something else than an object', '"text"'],
  ['a setting missing', '{"dsn":"x","tunnel":"/tunnel","release":"1"}'],
  ['a setting of another type', JSON.stringify({ ...SETTINGS, tunnel: 1 })],
])('has no settings when the page holds %s', (_name, content) => {
  expect(readSettings(pageWith(content))).toBeNull();
});

it('has no settings when the page was not served by Errata', () => {
  expect(readSettings(document.implementation.createHTMLDocument())).toBeNull();
});

it.each([
  ['no link', {}],
  ['a link', { supportUrl: 'mailto:help@shop.example?subject={digest}' }],
])('reads help with %s', (_name, help) => {
  expect(readHelp(pageWith(JSON.stringify({ ...SETTINGS, help })))).toEqual(help);
});

it.each([
  undefined,
  null,
  true,
  'helpful',
  { supportUrl: 1 },
  { supportUrl: null },
  { supportUrl: 'javascript:alert(1)' },
  { supportUrl: 'data:text/html,x' },
])('reads no help where it is %j', (help) => {
  expect(readHelp(pageWith(JSON.stringify({ ...SETTINGS, help })))).toBeNull();
});

it.each([
  ['https://key@errata.example/1', true],
  ['http://key:secret@[::1]:3000/path/1', true],
  ['', false],
  ['undefined', false],
  ['https://errata.example/1', false],
  ['https://key@errata.example', false],
])('takes %p for a DSN: %p', (dsn, isDsn) => {
  expect(hasDsn({ ...SETTINGS, dsn })).toBe(isDsn);
});

describe('given settings', () => {
  const OF_PAGE = { ...SETTINGS, basePath: '/errata', tunnel: '/errata/tunnel', environment: 'staging' };
  const GIVEN = { dsn: 'https://other@errata.example/2' };
  const FIELDS = { tunnel: '/t', release: 'shop@2', environment: 'test' };

  it('are completed by those of the page, but for the demo', () => {
    expect(completeSettings(GIVEN, OF_PAGE)).toEqual({ ...OF_PAGE, ...GIVEN, demo: false });
  });

  it.each(Object.entries(FIELDS))('have precedence over those of the page: %s', (name, value) => {
    expect(completeSettings({ ...GIVEN, [name]: value }, OF_PAGE)).toEqual({
      ...OF_PAGE,
      ...GIVEN,
      demo: false,
      [name]: value,
    });
  });

  it('that are undefined are those of the page', () => {
    const given = { ...GIVEN, tunnel: undefined, release: undefined, environment: undefined };

    expect(completeSettings(given, OF_PAGE)).toEqual(completeSettings(GIVEN, OF_PAGE));
  });

  it.each(['', undefined])('without a DSN (%p) have that of the page', (dsn) => {
    expect(completeSettings({ dsn: dsn as string }, OF_PAGE).dsn).toBe(OF_PAGE.dsn);
    expect(completeSettings({ dsn: dsn as string }, null).dsn).toBe('');
  });

  it('have defaults on the page of another server', () => {
    expect(completeSettings(GIVEN, null)).toEqual({
      ...GIVEN,
      basePath: '',
      tunnel: '/tunnel',
      release: '',
      environment: 'production',
      demo: false,
    });
  });
});
