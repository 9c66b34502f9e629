import type { PolicyFinding } from '../../contract/delivery-api.ts';
import type { IssueName } from '../../contract/event-api.ts';
import type { IssueSummary } from '../../contract/issues-api.ts';
import type { PolicyDirectives } from '../../contract/page-policy.ts';
import { CSP_VIOLATION, digestOfReport, VIOLATION } from '../../digest/report-digest.ts';

const TITLE = new RegExp(`^${VIOLATION}: (\\S+) (?:would block|blocked) (\\S+)$`);
/** Directives that list sources. Those about frames name the page itself, and not the site that embeds it. */
const SOURCES = /^([a-z]+-src)(?:-elem|-attr)?$|^(form-action|base-uri)$/;
const ORIGIN = /^(https?|wss?):\/\//;
/** An origin that is one source: a host name of the URL standard may contain `*`, `;` and `,`. */
const ONE_SOURCE = /^[a-z]+:\/\/[\w.-]+(:\d+)?$/;
/** Directives that let code in, or data out of forms. Anyone can send a report about them, so none makes a line that opens them. */
const CODE = /^(?:(?:default|object|script|worker)-src|base-uri|form-action)/;
/** Blocked keywords and schemes, and the source that allows each. Schemes of browser extensions are not among them. */
const ALLOWED_BY: ReadonlyMap<string, string> = new Map([
  ['inline', "'unsafe-inline'"],
  ['eval', "'unsafe-eval'"],
  ['wasm-eval', "'wasm-unsafe-eval'"],
  ['data', 'data:'],
  ['blob', 'blob:'],
]);

type PolicyIssue = IssueName &
  Pick<IssueSummary, 'key' | 'title'> &
  Pick<PolicyFinding, 'networks' | 'events' | 'lastSeen'>;

/**
 * Reads what a policy blocks from the issues of reports, without sources that it allows by now. The line of
 * `ERRATA_CSP_EXTRA` is suggested for an origin only, and not for code and forms.
 */
export function policyFindings(
  issues: readonly PolicyIssue[],
  allowed: PolicyDirectives,
): readonly PolicyFinding[] {
  return issues.flatMap<PolicyFinding>(
    ({ key, title, networks, events, lastSeen, digest, address, project, isShared }) => {
      const [, directive = '', blocked = ''] = TITLE.exec(title) ?? [];
      const isOrigin = ORIGIN.test(blocked);
      if (directive === '' || (isOrigin && key !== keyOfReport(directive, blocked))) return [];
      const finding = { digest, address, project, isShared, directive, blocked, networks, events, lastSeen };
      const names = SOURCES.exec(directive)?.slice(1) ?? [];
      const name = names.find((each) => each !== undefined);
      const source = isOrigin ? blocked : ALLOWED_BY.get(blocked);
      if (name === undefined || source === undefined) return [{ ...finding, allow: null }];
      if ([name, directive].some((each) => allowed[each]?.includes(source) === true)) return [];
      const isSuggested = ONE_SOURCE.test(source) && !CODE.test(name);
      return [{ ...finding, allow: isSuggested ? `${name} ${source}` : null }];
    },
  );
}

/** Returns the key of the issue of a blocked origin. An event with the title of a report has another key. */
function keyOfReport(subject: string, target: string): string {
  return digestOfReport({ kind: CSP_VIOLATION, subject, target, route: '', source: '' }).key;
}
