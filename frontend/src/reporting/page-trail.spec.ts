/** @jest-environment jest-fixed-jsdom */
import { trailOf } from './page-trail.ts';

/** Answers with the status that the path has; with 0 as a network that is away. */
window.fetch = async (input) => {
  const status = Number(/\d+/.exec(input instanceof Request ? input.url : input.toString())?.[0]);
  if (status === 0) throw new TypeError('Failed to fetch');
  return new Response('', { status });
};
document.body.innerHTML =
  '<form id="pay"><input name="card"><button class="big" type="button">Pay</button></form>';
const { trail, look } = trailOf(window);

function recorded() {
  return trail.getScopeData().breadcrumbs;
}

afterEach(() => trail.clearBreadcrumbs());

it('records the place of a click, and typing once for each field, without a value', () => {
  const [field, button] = document.querySelectorAll<HTMLElement>('input, button');
  for (const letter of '4111') field?.dispatchEvent(new InputEvent('input', { data: letter, bubbles: true }));
  button?.dispatchEvent(new MouseEvent('click', { bubbles: true }));

  expect(recorded()).toMatchObject([
    { category: 'ui.input', message: 'html > body > form#pay > input[name="card"]' },
    { category: 'ui.click', message: 'html > body > form#pay > button.big[type="button"]' },
  ]);
});

it.each([
  [201, 'info', { method: 'POST', url: '/201', status_code: 201 }],
  [404, 'warning', { method: 'POST', url: '/404', status_code: 404 }],
  [503, 'error', { method: 'POST', url: '/503', status_code: 503 }],
  [0, 'error', { method: 'POST', url: '/0' }],
])('records a request with the answer %i, and gives the answer to the page', async (status, level, data) => {
  const answered = await window.fetch(`/${status}?key=secret`, { method: 'POST' }).then(
    (answer) => answer.status,
    () => 0,
  );

  expect(answered).toBe(status);
  expect(recorded()).toMatchObject([{ category: 'fetch', type: 'http', level }]);
  expect(recorded()[0]?.data).toEqual(data);
});

it('has one record for each page, so that a second client records nothing twice', () => {
  expect(trailOf(window).trail).toBe(trail);
});

it('records an XMLHttpRequest', () => {
  const request = new XMLHttpRequest();
  request.open('PUT', '/api/cart#top');
  request.dispatchEvent(new ProgressEvent('loadend'));

  expect(recorded()).toMatchObject([
    { category: 'xhr', level: 'error', data: { method: 'PUT', url: '/api/cart' } },
  ]);
});

it('records a navigation inside of the page before what follows it, without its query', async () => {
  window.history.pushState(null, '', '/cart?code=secret');
  await window.fetch('/200');
  window.history.pushState(null, '', '/pay');
  look();

  expect(recorded()).toMatchObject([
    { category: 'navigation', data: { from: '/', to: '/cart' } },
    { category: 'fetch' },
    { category: 'navigation', data: { from: '/cart', to: '/pay' } },
  ]);
});
