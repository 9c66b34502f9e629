import { ClientPolicy, type PolicySettings } from './client-policy.ts';
import { scanHtml } from './scan-html.ts';

const SETTINGS: PolicySettings = {
  mode: 'computed',
  extra: {},
  release: 'shop@2 b',
  environment: 'test',
  basePath: '/errata',
};
const NAME = 'Content-Security-Policy';
const PAGE = scanHtml(
  '<script>alert(1)</script><style>p {}</style><p style="color:red"><link onload="this.media=1">',
);
/** Hashes of that page's code, by `openssl dgst -sha256 -binary | base64`. */
const SCRIPT = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='";

/** Returns the sources of one directive. */
function sourcesOf(policy: string | undefined, directive: string): string | undefined {
  return policy
    ?.split('; ')
    .find((each) => each.startsWith(`${directive} `))
    ?.slice(directive.length + 1);
}

describe('ClientPolicy', () => {
  it('allows the own origin, and what bundlers put inline', () => {
    expect(new ClientPolicy(SETTINGS, []).headers()).toEqual({
      [NAME]:
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; " +
        "connect-src 'self'; form-action 'self'; base-uri 'self'; object-src 'none'; frame-ancestors 'self'; " +
        'report-uri /errata/reports?sentry_release=shop%402+b&sentry_environment=test',
    });
  });

  it('names no release where none is known', () => {
    const { release: _release, ...settings } = SETTINGS;

    expect(new ClientPolicy(settings, []).headers()[NAME]).toMatch(
      / report-uri \/errata\/reports\?sentry_environment=test$/,
    );
  });

  it('allows inline code of every page by its hash', () => {
    const policy = new ClientPolicy(SETTINGS, [PAGE, scanHtml('<script>other()</script>')]).headers()[NAME];

    expect(sourcesOf(policy, 'script-src')).toMatch(
      /^'self' 'sha256-\S+' 'sha256-\S+' 'unsafe-hashes' 'sha256-\S+'$/,
    );
    expect(sourcesOf(policy, 'script-src')).toContain(SCRIPT);
    expect(sourcesOf(policy, 'style-src')).toMatch(/^'self' 'sha256-\S+' 'unsafe-hashes' 'sha256-\S+'$/);
  });

  it('allows only the code of the page where the code of all is too much for a header', () => {
    const others = Array.from({ length: 100 }, (_, index) => scanHtml(`<script>page(${index})</script>`));
    const policy = new ClientPolicy(SETTINGS, [PAGE, ...others]);

    expect(sourcesOf(policy.headers(PAGE)[NAME], 'script-src')?.split(' ')).toHaveLength(4);
    expect(sourcesOf(policy.headers()[NAME], 'script-src')).toBe("'self'");
  });

  it('allows any style of a page with too many', () => {
    const page = scanHtml(
      `<script>alert(1)</script>${Array.from({ length: 100 }, (_, index) => `<p style="top:${index}px">`).join('')}`,
    );
    const policy = new ClientPolicy(SETTINGS, [page]).headers(page)[NAME];

    expect(sourcesOf(policy, 'style-src')).toBe("'self' 'unsafe-inline'");
    expect(sourcesOf(policy, 'script-src')).toBe(`'self' ${SCRIPT}`);
  });

  it.each([
    [{ 'connect-src': ['https://api.example'] }, 'connect-src', "'self' https://api.example"],
    [{ 'object-src': ["'self'"] }, 'object-src', "'self'"],
    [{ 'worker-src': ['blob:'] }, 'worker-src', "'self' blob:"],
    [
      { 'script-src-elem': ['https://cdn.example'] },
      'script-src-elem',
      "'self' '#' 'unsafe-hashes' '#' https://cdn.example",
    ],
    [{ 'style-src': ["'unsafe-inline'"] }, 'style-src', "'self' 'unsafe-inline'"],
  ] as const)('adds %j', (extra, directive, sources) => {
    const policy = new ClientPolicy({ ...SETTINGS, extra }, [PAGE]).headers()[NAME];

    expect(sourcesOf(policy, directive)?.replaceAll(/sha256-[^']+/g, '#')).toBe(sources);
  });

  it('only reports, or is absent', () => {
    const headersOf = (mode: PolicySettings['mode']) =>
      Object.keys(new ClientPolicy({ ...SETTINGS, mode }, []).headers());

    expect(headersOf('report-only')).toEqual(['Content-Security-Policy-Report-Only']);
    expect(headersOf('off')).toEqual([]);
  });
});
