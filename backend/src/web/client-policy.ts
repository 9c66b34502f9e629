import { createHash } from 'node:crypto';
import type { PolicyDirectives, PolicyMode } from '../contract/page-policy.ts';
import type { ScannedHtml } from './scan-html.ts';

type InlineCode = Pick<ScannedHtml, 'scripts' | 'handlers' | 'styles' | 'styleAttributes'>;
export type PolicyHeaders = Readonly<Record<string, string>>;

export interface PolicySettings {
  readonly mode: PolicyMode;
  readonly extra: PolicyDirectives;
  readonly release?: string;
  readonly environment: string;
  readonly basePath: string;
}

/**
 * Path that accepts browser reports. The policy names it by report-uri alone: with report-to Chromium ignores report-uri, and
 * reports nothing over plain HTTP, as on a test system.
 */
const REPORTS_PATH = '/reports';
/** nginx reads all headers of a response into 4 KiB by default (proxy_buffer_size), and answers 502 for more. */
const MAX_POLICY_BYTES = 3_072;

const SELF = "'self'";
const NONE = "'none'";
const UNSAFE_HASHES = "'unsafe-hashes'";
const UNSAFE_INLINE = "'unsafe-inline'";
/** What pages of any bundler need from their own origin. */
const BASE: PolicyDirectives = {
  'default-src': [SELF],
  'script-src': [SELF],
  'style-src': [SELF],
  'img-src': [SELF, 'data:', 'blob:'],
  'font-src': [SELF, 'data:'],
  'connect-src': [SELF],
  'form-action': [SELF],
  'base-uri': [SELF],
  'object-src': [NONE],
  'frame-ancestors': [SELF],
};

/** The Content-Security-Policy of another team's client, computed from the inline code of its HTML files. */
export class ClientPolicy {
  readonly #settings: PolicySettings;
  /** Undefined where the code of all pages is too much for a header. */
  readonly #ofAll: PolicyHeaders | undefined;

  /** @param pages inline code of each HTML file. */
  constructor(settings: PolicySettings, pages: readonly InlineCode[]) {
    this.#settings = settings;
    const text = this.#text(directivesFor(pages));
    this.#ofAll = text.length > MAX_POLICY_BYTES ? undefined : this.#headersOf(text);
  }

  /**
   * Returns the headers of a page, or of a response that is none. The code of all pages is allowed, because routers put
   * parts of one page into another; where it is too much, only the page's own is; and where that is too much, any style.
   */
  headers(page?: InlineCode): PolicyHeaders {
    if (this.#ofAll !== undefined) return this.#ofAll;
    const own = directivesFor(page === undefined ? [] : [page]);
    const text = this.#text(own);
    if (text.length <= MAX_POLICY_BYTES) return this.#headersOf(text);
    return this.#headersOf(this.#text({ ...own, 'style-src': [SELF, UNSAFE_INLINE] }));
  }

  #headersOf(text: string): PolicyHeaders {
    const { mode } = this.#settings;
    if (mode === 'off') return {};
    const name = mode === 'computed' ? 'Content-Security-Policy' : 'Content-Security-Policy-Report-Only';
    return { [name]: text };
  }

  #text(computed: PolicyDirectives): string {
    const directives = { ...withExtra(computed, this.#settings.extra), 'report-uri': [this.#reportsUrl] };
    const texts = Object.entries(directives);
    return texts.map(([name, sources]) => [name, ...sources].join(' ')).join('; ');
  }

  get #reportsUrl(): string {
    const { release, environment, basePath } = this.#settings;
    const names = new URLSearchParams({
      ...(release !== undefined && { sentry_release: release }),
      sentry_environment: environment,
    });
    return `${basePath}${REPORTS_PATH}?${names.toString()}`;
  }
}

function directivesFor(pages: readonly InlineCode[]): PolicyDirectives {
  const hashes = (textsOf: (page: InlineCode) => readonly string[]): readonly string[] => [
    ...new Set(pages.flatMap((page) => textsOf(page)).map(hashOf)),
  ];
  const handlers = hashes((page) => page.handlers);
  const attributes = hashes((page) => page.styleAttributes);
  const unsafe = (list: readonly string[]): readonly string[] =>
    list.length > 0 ? [UNSAFE_HASHES, ...list] : [];
  return {
    ...BASE,
    'script-src': [SELF, ...hashes((page) => page.scripts), ...unsafe(handlers)],
    'style-src': [SELF, ...hashes((page) => page.styles), ...unsafe(attributes)],
  };
}

function hashOf(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}

/** Adds sources, directive by directive. A directive that the policy lacks begins as the one that browsers use for it. */
function withExtra(policy: PolicyDirectives, extra: PolicyDirectives): PolicyDirectives {
  const result = { ...policy };
  for (const [name, added] of Object.entries(extra)) {
    const fallback = policy[name.replace(/-(elem|attr)$/, '')] ?? (name.endsWith('-src') ? [SELF] : []);
    const sources = [...new Set([...fallback.filter((source) => source !== NONE), ...added])];
    // A hash switches 'unsafe-inline' off.
    result[name] = added.includes(UNSAFE_INLINE) ? sources.filter((source) => !isHash(source)) : sources;
  }
  return result;
}

function isHash(source: string): boolean {
  return source.startsWith("'sha256-") || source === UNSAFE_HASHES;
}
