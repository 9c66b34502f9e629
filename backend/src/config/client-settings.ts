import { z } from 'zod';
import { type HttpsOnly, POLICY_MODES } from '../contract/page-policy.ts';
import { type ClientRoutes, ROUTE_PATTERN, ROUTE_PATTERN_HINT } from '../contract/routes.ts';
import { SUPPORT_URL } from '../contract/texts.ts';
import { policyDirectives } from './policy-sources.ts';
import { setting, someText } from './value-types.ts';

/** `files`, `spa`, or path patterns of a client, comma-separated. */
const clientRoutes = z.string().transform((text, context): ClientRoutes => {
  if (text === 'files' || text === 'spa') return text;
  const patterns = text.split(',').map((each) => each.trim());
  const wrong = patterns.find((pattern) => !ROUTE_PATTERN.test(pattern));
  if (wrong === undefined) return patterns;
  const which = wrong === '' ? 'an entry is empty' : `${JSON.stringify(wrong)} is none`;
  const message = `expected files, spa, or a list: ${ROUTE_PATTERN_HINT}, but ${which}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** `off`, seconds, or seconds and `includeSubDomains`: `63072000; includeSubDomains`. */
const httpsOnly = z.string().transform((text, context): HttpsOnly | 'off' => {
  if (text === 'off') return text;
  const [, seconds, subDomains] = /^(\d{1,10})(; *includeSubDomains)?$/.exec(text) ?? [];
  if (seconds !== undefined) return { maxAge: Number(seconds), includeSubDomains: subDomains !== undefined };
  context.addIssue({ code: 'custom', message: 'expected off, seconds, or 63072000; includeSubDomains' });
  return z.NEVER;
});

const SUPPORT_HINT = 'expected an address such as mailto:help@shop.example?subject={digest}, without blanks';

/** Another placeholder, or one in the host, which would be another host for each failure. */
const WRONG_PLACEHOLDER = /\{(?!(?:digest|reference)\})|^\w+:(?:\/\/[^/?#]*|[^/?][^?]*@[^?]*)\{/;

const supportUrl = z
  .string()
  .max(500, 'expected at most 500 characters')
  .refine((text) => SUPPORT_URL.test(text) && URL.canParse(text), SUPPORT_HINT)
  .refine(
    (text) => !WRONG_PLACEHOLDER.test(text),
    'expected no placeholder but {digest} and {reference}, and none in the host',
  );

/** Settings of the client that is served, and of the error pages. */
export const CLIENT_SETTINGS = {
  clientDir: setting(
    'ERRATA_CLIENT_DIR',
    someText,
    null,
    'Folder of a built single-page application to serve instead of the built-in client. The pages of the console stay. Links are followed, also out of the folder; names that begin with a dot are not served, except /.well-known. Browsers keep a file for a year if its name certainly has a content hash (`main-TQ4DSHOP.js`), and ask for every other file again. Text files are compressed after the start, in at most 64 MiB of memory, unless a `.br`, `.zst` or `.gz` that is not older lies beside them; a file without another form is decompressed for clients that do not accept it. The folder is read at start, and again, with its source maps, a second after a build has changed index.html or has added or removed a file, or a deploy has swapped a link to the folder. UTF-8 pages get `<meta name="errata">` with DSN and tunnel, unless the build has compressed them.',
  ),
  clientRoutes: setting(
    'ERRATA_CLIENT_ROUTES',
    clientRoutes,
    null,
    'Pages of that client. files: its HTML files, `x/index.html` for `/x/` and `x.html` for `/x`. spa: also index.html for every path whose last segment has no extension. Or a list of patterns that get index.html, comma-separated: `/orders/:id,/:language?/help,/docs/*`. The page `/` is always one. Every other path is answered 404, and so is a file such as `/orders/1.js`, unless a person opens it. Without it the routes of `routes.json` in the folder count, and without that file `files`. The form of that file is `{"routes":[{"path":"/orders/:id","noindex":true,"preload":["assets/orders.js"]}]}`.',
  ),
  csp: setting(
    'ERRATA_CSP',
    z.enum(POLICY_MODES, 'expected computed, report-only or off'),
    'report-only',
    'Content-Security-Policy of that client, computed at start from its HTML files: content of its own origin, and inline code by hash. computed blocks everything else, report-only lists it on the Delivery page, off sends no policy. Console, error pages and the built-in client keep their own.',
  ),
  cspExtra: setting(
    'ERRATA_CSP_EXTRA',
    policyDirectives,
    '',
    'Sources that the policy of that client allows in addition, by directive: `connect-src https://api.example; font-src https://fonts.example`.',
  ),
  hsts: setting(
    'ERRATA_HSTS',
    httpsOnly,
    null,
    'Strict-Transport-Security of every page of the host: off, seconds, or `63072000; includeSubDomains`. Without it `63072000; includeSubDomains` with the built-in client and off with that of ERRATA_CLIENT_DIR, because browsers refuse plain HTTP for the host until the time is over.',
  ),
  errorPage: setting(
    'ERRATA_ERROR_PAGE',
    z.enum(['plain', 'helpful'], 'expected plain or helpful'),
    'plain',
    'plain: an error page shows its sentence, and the digest of a failure on the server. helpful adds the reference of that failure, a link to try again (after GET) and one to the home page, here and in another Nest application; 404 and other refusals get the one to the home page. So does the error page of errata-react on pages that Errata serves (its README has the option for others). The built-in client and the console have none of it, on purpose: their readers are operators, who have the browser console, and a console that cannot be shown has its own link to try again.',
  ),
  supportUrl: setting(
    'ERRATA_SUPPORT_URL',
    supportUrl,
    null,
    'Address of the link "Get help" on helpful pages of failures: https, http or mailto, at most 500 characters. `{digest}` and `{reference}` in it are replaced by those of the failure, empty where a page has none, but not in the host; other placeholders are refused: `mailto:help@shop.example?subject={digest}`.',
  ),
} as const;
