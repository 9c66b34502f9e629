import type { PolicyFinding } from '../../contract/delivery-api.ts';
import type { IssueName } from '../../contract/event-api.ts';
import type { IssueSummary } from '../../contract/issues-api.ts';
import type { PolicyDirectives } from '../../contract/page-policy.ts';

/** Name of a policy violation, with which its title begins. */
export const VIOLATION = 'Content-Security-Policy';
const TITLE = new RegExp(`^${VIOLATION}: (\\S+) (?:would block|blocked) (\\S+)$`);
/** Directives that list sources. Those about frames name the page itself, and not the site that embeds it. */
const SOURCES = /^([a-z]+-src)(?:-elem|-attr)?$|^(form-action|base-uri)$/;
const ORIGIN = /^(https?|wss?):\/\//;
/** Blocked keywords and schemes, and the source that allows each. Schemes of browser extensions are not among them. */
const ALLOWED_BY: ReadonlyMap<string, string> = new Map([
  ['inline', "'unsafe-inline'"],
  ['eval', "'unsafe-eval'"],
  ['wasm-eval', "'wasm-unsafe-eval'"],
  ['data', 'data:'],
  ['blob', 'blob:'],
]);

/** Reads what a policy blocks from the titles of the issues, without sources that it allows by now. */
export function policyFindings(
  issues: readonly (IssueName & Pick<IssueSummary, 'title' | 'events' | 'lastSeen'>)[],
  allowed: PolicyDirectives,
): readonly PolicyFinding[] {
  return issues.flatMap<PolicyFinding>(({ title, events, lastSeen, digest, address, project, isShared }) => {
    const [, directive = '', blocked = ''] = TITLE.exec(title) ?? [];
    if (directive === '') return [];
    const finding = { digest, address, project, isShared, directive, blocked, events, lastSeen };
    const names = SOURCES.exec(directive)?.slice(1) ?? [];
    const name = names.find((each) => each !== undefined);
    const source = ORIGIN.test(blocked) ? blocked : ALLOWED_BY.get(blocked);
    if (name === undefined || source === undefined) return [{ ...finding, allow: null }];
    const isAllowed = [name, directive].some((each) => allowed[each]?.includes(source) === true);
    // Only a hash allows an inline script well: 'unsafe-inline' would allow every script, and switch all hashes off.
    const isInlineScript = directive.startsWith('script-src') && blocked === 'inline';
    return isAllowed ? [] : [{ ...finding, allow: isInlineScript ? null : `${name} ${source}` }];
  });
}
