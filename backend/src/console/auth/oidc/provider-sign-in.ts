import type { SignInProblem } from '../../../contract/access-api.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { Person } from '../sessions.ts';
import type { HeldSignIn } from './pending-sign-in.ts';
import type { Departure, IdentityProvider } from './identity-provider.ts';
import { roleOfClaims, type RoleLists, whoIs } from './role-mapping.ts';

/** Sign-in by the provider: who the person is says the provider, what the person may do say our lists. */
export class ProviderSignIn {
  readonly #provider: IdentityProvider;
  readonly #lists: RoleLists;
  readonly #log: Pick<Log, 'warn'>;

  constructor(provider: IdentityProvider, lists: RoleLists, log: Pick<Log, 'warn'>) {
    this.#provider = provider;
    this.#lists = lists;
    this.#log = log;
  }

  /** Where to send the browser. */
  async depart(returnUrl: URL): Promise<Departure | 'unreachable'> {
    try {
      return await this.#provider.depart(returnUrl);
    } catch (err) {
      this.#log.warn({ err }, 'oidc_unreachable');
      return 'unreachable';
    }
  }

  /** Who came back, or why nobody is known. */
  async arrive(returned: URL, held: HeldSignIn | undefined): Promise<Person | SignInProblem> {
    // Not ours, or another tab has begun anew since.
    if (held === undefined || returned.searchParams.get('state') !== held.state) return 'expired';
    const arrival = await this.#provider.arrive(returned, held);
    if (arrival.outcome !== 'known') {
      this.#log.warn({ err: arrival.cause, problem: arrival.outcome }, 'oidc_failed');
      return arrival.outcome;
    }
    const role = roleOfClaims(arrival.claims, this.#lists);
    return role === undefined ? 'no_access' : { who: whoIs(arrival.claims), role, way: 'oidc' };
  }
}
