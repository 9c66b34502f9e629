import type { SignInProblem } from '../../../contract/access-api.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { Audit } from '../audit.ts';
import type { Identity } from '../sessions.ts';
import type { IdentityProvider, Redirection } from './identity-provider.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import { nameOfClaims, type RoleRefusal, refusalOf, type RoleLists, roleOfClaims } from './role-mapping.ts';

/** Refusals that the provider's administrator, or a setting, can lift without a change of the lists. */
const UNVERIFIED: ReadonlySet<RoleRefusal['reason']> = new Set(['email_not_verified', 'no_email_verified']);

type Provider = Pick<IdentityProvider, 'start' | 'finish'>;

/** Sign-in at the provider: the provider identifies the user, the lists of the settings give the role. */
export class ProviderSignIn {
  readonly #provider: Provider;
  readonly #lists: RoleLists;
  readonly #log: Pick<Log, 'warn'>;
  readonly #audit: Pick<Audit, 'refused'>;

  constructor(provider: Provider, lists: RoleLists, log: Pick<Log, 'warn'>, audit: Pick<Audit, 'refused'>) {
    this.#provider = provider;
    this.#lists = lists;
    this.#log = log;
    this.#audit = audit;
  }

  /** Returns the URL at the provider to redirect the browser to. */
  async start(returnUrl: URL): Promise<Redirection | 'unreachable'> {
    try {
      return await this.#provider.start(returnUrl);
    } catch (err) {
      this.#log.warn({ err }, 'oidc_unreachable');
      return 'unreachable';
    }
  }

  /** Returns the user who came back from the provider, or the reason why there is none. */
  async finish(returned: URL, pending: PendingSignIn | undefined): Promise<Identity | SignInProblem> {
    // A state of another server, or one that a sign-in in another tab has replaced.
    if (pending === undefined || returned.searchParams.get('state') !== pending.state) return 'expired';
    const result = await this.#provider.finish(returned, pending);
    if (result.outcome !== 'known') {
      const { outcome: problem, cause: err, reason } = result;
      this.#log.warn({ err, problem, reason }, 'oidc_failed');
      return result.outcome;
    }
    const role = roleOfClaims(result.claims, this.#lists);
    const who = nameOfClaims(result.claims, this.#lists);
    if (role !== undefined) return { who, role, way: 'oidc' };
    const refusal = refusalOf(result.claims, this.#lists);
    this.#log.warn(refusal, 'oidc_no_access');
    this.#audit.refused(who, refusal.reason);
    return UNVERIFIED.has(refusal.reason) ? 'unverified' : 'no_access';
  }
}
