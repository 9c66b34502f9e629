/**
 * Records what happened in the page before an error: clicks, typing, requests, navigations. The SDK's own recorder works
 * for its global client only, and that one belongs to the application. It must never break a request or an event.
 */
import { type Breadcrumb, Scope } from '@sentry/react';

/** Elements that name a place: the element itself and its nearest parents. */
const MAX_ELEMENTS = 5;
/** Attributes that tell two elements of one kind apart. A value is never recorded. */
const ATTRIBUTES = ['type', 'name', 'aria-label'];
/** Characters: `data:` URLs can have megabytes. */
const MAX_URL = 1_024;

/** Without query and fragment: one can hold a sign-in code. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').slice(0, MAX_URL);
}

function nameOf(element: Element): string {
  const { localName, id, classList } = element;
  const attributes = ATTRIBUTES.map((name) => [name, element.getAttribute(name)] as const);
  const named = attributes.flatMap(([name, value]) => (value === null ? [] : [`[${name}="${value}"]`]));
  return [localName, id && `#${id}`, ...[...classList].map((name) => `.${name}`), ...named].join('');
}

function placeOf(target: EventTarget | null): string {
  const names: string[] = [];
  let element = target instanceof Element ? target : null;
  for (; element !== null && names.length < MAX_ELEMENTS; element = element.parentElement)
    names.unshift(nameOf(element));
  return names.join(' > ');
}

/** `status` is 0 without an answer, as that of an XMLHttpRequest. */
function requestCrumb(category: string, method: string, url: string | URL, status: number): Breadcrumb {
  const isError = status === 0 || status >= 500;
  return {
    category,
    type: 'http',
    level: isError ? 'error' : status >= 400 ? 'warning' : 'info',
    data: { method, url: withoutQuery(String(url)), ...(status > 0 && { status_code: status }) },
  };
}

type Add = (crumb: Breadcrumb) => void;

function watchRequests(page: Window & typeof globalThis, add: Add): void {
  const { XMLHttpRequest, Request } = page;
  const fetch = page.fetch.bind(page);
  page.fetch = (input, init) => {
    const { url, method } = input instanceof Request ? input : { url: input, method: 'GET' };
    const note = (status: number) => add(requestCrumb('fetch', init?.method ?? method, url, status));
    const answer = fetch(input, init);
    // The returned promise is the new one: a listener on the old one would make every rejection a handled one.
    return answer.then(
      (response) => {
        note(response.status);
        return response;
      },
      (error: unknown) => {
        note(0);
        throw error;
      },
    );
  };
  // Called with the `this` of each request.
  // oxlint-disable-next-line typescript/unbound-method
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL, ...rest: unknown[]) {
    this.addEventListener('loadend', () => add(requestCrumb('xhr', method, url, this.status)));
    Reflect.apply(open, this, [method, url, ...rest]);
  };
}

function watchInput(page: Window, add: Add): void {
  let typedInto: EventTarget | null = null;
  const onEvent = ({ type, target }: Event) => {
    // One line for a field, not one for a letter.
    if (type === 'input' && target === typedInto) return;
    typedInto = type === 'input' ? target : null;
    add({ category: `ui.${type}`, message: placeOf(target) });
  };
  for (const type of ['click', 'input']) page.addEventListener(type, onEvent, true);
}

/** The record of a page. */
interface Trail {
  /** Has the breadcrumbs. */
  readonly trail: Scope;
  /** Brings them up to date. */
  readonly look: () => void;
}

function recordTrail(page: Window & typeof globalThis): Trail {
  const trail = new Scope();
  let path = page.location.pathname;
  // A navigation inside of the page has no event in every browser, so the next moment finds it, too.
  const look = () => {
    const to = page.location.pathname;
    if (to !== path) trail.addBreadcrumb({ category: 'navigation', data: { from: path, to } });
    path = to;
  };
  const add = (crumb: Breadcrumb) => {
    look();
    trail.addBreadcrumb(crumb);
  };
  watchInput(page, add);
  watchRequests(page, add);
  if ('navigation' in page) page.navigation.addEventListener('currententrychange', look);
  return { trail, look };
}

const trails = new WeakMap<Window, Trail>();

/** Returns the record of a page, which starts with the first call: one client after another can send it. */
export function trailOf(page: Window & typeof globalThis): Trail {
  const trail = trails.get(page) ?? recordTrail(page);
  trails.set(page, trail);
  return trail;
}
