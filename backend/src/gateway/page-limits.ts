import { DAY_MS } from '../time/iso.ts';

/** The start of an outage is recorded whole; a day of it is about 430,000 events, 300 MB in brief. */
const MAX_BURST = 2_000;
const EVENTS_PER_SECOND = 5;
/** Without `X-Service-Name` the `Host` names the service, which a client chooses. */
const MAX_SERVICES = 200;
const OTHER_SERVICE = 'other';
/** A scan of random paths makes no more issues than these, and one. The routes of all services take 10 MiB at most. */
const MAX_ROUTES = 100;

/** A service of this day. */
interface Service {
  readonly routes: Set<string>;
  /** Events that it may record, as of {@link filledAtMs}. */
  events: number;
  filledAtMs: number;
}

/** Limits what pages of gateways store. All counts are in memory, and begin again after a day and after a restart. */
export class PageLimits {
  readonly #nowMs: () => number;
  readonly #services = new Map<string, Service>();
  #dayStartedAtMs: number;

  /** @param nowMs monotonic clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#dayStartedAtMs = nowMs();
  }

  /** Returns the names for the fault of a page: `other` for a service above the limit, and no route above that of its service. */
  named(name: string, route: string | null): { readonly service: string; readonly route: string | null } {
    this.#beginDay();
    const service = this.#services.has(name) || this.#services.size < MAX_SERVICES ? name : OTHER_SERVICE;
    const { routes } = this.#of(service);
    if (route === null || (routes.size >= MAX_ROUTES && !routes.has(route))) return { service, route: null };
    routes.add(route);
    return { service, route };
  }

  /** Returns whether a page of a service may be an event, and counts it if so. @param name of {@link named}. */
  take(name: string): boolean {
    const service = this.#of(name);
    const nowMs = this.#nowMs();
    const filled = service.events + ((nowMs - service.filledAtMs) / 1_000) * EVENTS_PER_SECOND;
    service.events = Math.min(MAX_BURST, filled);
    service.filledAtMs = nowMs;
    if (service.events < 1) return false;
    service.events -= 1;
    return true;
  }

  #beginDay(): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#dayStartedAtMs < DAY_MS) return;
    this.#dayStartedAtMs = nowMs;
    this.#services.clear();
  }

  #of(name: string): Service {
    const known = this.#services.get(name);
    if (known !== undefined) return known;
    const service = { routes: new Set<string>(), events: MAX_BURST, filledAtMs: this.#nowMs() };
    this.#services.set(name, service);
    return service;
  }
}
