import { type Fact, factFormsOf, matchesOf, nameText, placeIn } from './fact-forms.ts';

const NO_FIELDS = { environment: null, server: null, browser: null, tags: [] };
const NO_FACTS = { release: null, person: null, aliases: [], host: null, path: null, ...NO_FIELDS };

/** Returns whether `url:` with a text finds an event of a URL. */
function finds(text: string, url: string): boolean {
  return isAmong(factFormsOf({ ...NO_FACTS, ...placeIn(url) }), matchesOf('url', text));
}

function isAmong(facts: readonly Fact[], lists: ReturnType<typeof matchesOf>): boolean {
  return lists.every((matches) =>
    matches.some(({ kind, from, to }) =>
      facts.some(([of, fact]) => of === kind && (to === null ? fact === from : fact >= from && fact < to)),
    ),
  );
}

const DECOMPOSED = 'u\u0308ber';

describe('a filter by URL', () => {
  it.each([
    ['/über-uns', 'https://shop.example/über-uns/kontakt'],
    ['/%C3%BCber-uns', 'https://shop.example/über-uns/kontakt'],
    ['/%c3%bcber-uns', 'https://shop.example/%C3%BCber-uns'],
    [`/${DECOMPOSED}`, 'https://shop.example/%C3%BCber-uns'],
    ['/über', `https://shop.example/${DECOMPOSED}-uns`],
    ['https://shop.example/заказы?page=2#top', 'https://shop.example/%D0%B7%D0%B0%D0%BA%D0%B0%D0%B7%D1%8B/7'],
    ['/a b', 'https://shop.example/a%20b'],
    ['/%7Eann', 'https://shop.example/~ann/cart'],
    ['/r%e9sum%e9', 'https://shop.example/r%E9sum%E9/1'],
    ['/100%', 'https://shop.example/100%/off'],
  ])('finds a path encoded and decoded: %s', (text, url) => {
    expect(finds(text, url)).toBe(true);
  });

  it.each([
    'https://shop.example:8443/checkout',
    'shop.example:8443/checkout',
    'http://SHOP.example/checkout',
    'shop.example/checkout?step=2',
    '//shop.example/checkout',
    'https://shop.example',
    'Shop.Example',
    'shop.example:8443',
    '//shop.example',
    '/checkout',
  ])('finds a path with and without scheme, host and port, and all pages of a host: %s', (text) => {
    expect(finds(text, 'https://shop.example:8443/checkout/pay')).toBe(true);
  });

  it.each([
    ['localhost', 'http://localhost:3000/checkout'],
    ['localhost:3000/checkout', 'http://localhost:3000/checkout'],
    ['backend:3000', 'backend:3000/checkout'],
    ['müller.example', 'https://xn--mller-kva.example/checkout'],
    ['https://shop.example:443/', 'https://shop.example/'],
    ['shop.example:80', 'http://shop.example/checkout'],
    ['192.0.2.7', 'http://192.0.2.7:8080/'],
    ['http://[2001:db8::1]/cart', 'http://[2001:db8::1]:8080/cart'],
    ['capacitor://localhost/cart', 'capacitor://localhost/cart'],
    ['/checkout', '/checkout'],
    ['https://shop.example/#/orders/7', 'https://shop.example/app/#/orders/7'],
  ])('finds a host in each of its forms: %s', (text, url) => {
    expect(finds(text, url)).toBe(true);
  });

  it.each([
    ['https://nowhere.example', 'https://shop.example/checkout'],
    ['nowhere.example', 'https://shop.example/checkout'],
    ['https://nowhere.example/checkout', 'https://shop.example/checkout'],
    ['nowhere.example/#/orders', 'https://shop.example/#/orders'],
    ['example', 'https://shop.example/checkout'],
    ['shop.example', 'https://www.shop.example/checkout'],
    ['shop.example', 'https://shop.example.org/checkout'],
    ['shop.example', 'https://org.example/shop.example'],
    ['shop.example:3000', 'https://shop.example:8080/checkout'],
    ['localhost:3000', 'http://localhost:30001/'],
    ['https://shop.example/checkout', '/checkout'],
    ['https://shop.example/', 'https://shop.example/checkout'],
    ['http:', 'https://shop.example/'],
    ['https://', 'https://shop.example/'],
    ['//', 'https://shop.example/'],
    ['https://%', 'https://shop.example/'],
  ])('finds no other host: %s', (text, url) => {
    expect(finds(text, url)).toBe(false);
  });

  it.each([
    ['#/orders/7', 'https://shop.example/#/orders/7'],
    ['/orders/7', 'https://shop.example/#/orders/7'],
    ['/orders', 'https://shop.example/app/#!/orders/7'],
    ['/%C3%BCber', 'https://shop.example/#/über-uns'],
    ['/#/orders/7', 'https://shop.example/#/orders/7'],
    ['#!/orders', 'https://shop.example/app/#/orders/7?tab=2'],
    ['https://shop.example/app/#/orders/7', 'https://shop.example/app/#!/orders/7'],
    ['shop.example/#/über', 'https://shop.example/#/%C3%BCber'],
    ['/app', 'https://shop.example/app/#/orders/7'],
    ['/', 'https://shop.example/#/orders/7'],
    ['#/', 'https://shop.example/#/'],
  ])('finds the route behind # and the path before it: %s', (text, url) => {
    expect(finds(text, url)).toBe(true);
  });

  it.each([
    '#/orders/7',
    '#!/',
    '#top',
    '?id=7',
    '/',
    '/#top',
    'https://shop.example/#/orders/7',
    'shop.example/',
    'https://',
    'x:%00',
    'about:',
    'part1',
    '""',
  ])('finds no other path: %s', (text) => {
    expect(finds(text, 'https://shop.example/part1')).toBe(false);
  });

  it.each(['/orders/8', '#/order/', '/shop', 'orders/7', '/app/orders/7', '/7'])(
    'finds no other route: %s',
    (text) => {
      expect(finds(text, 'https://shop.example/app/#/orders/7')).toBe(false);
    },
  );

  it('finds nothing of a query, or of a fragment that may be a secret', () => {
    expect(placeIn('https://shop.example/return?code=7#access_token=abc').path).toBe('/return');
    expect(placeIn('https://shop.example/#/return&access_token=abc').path).toBe('/#/return');
  });

  it('finds what an earlier version has stored: the path of the URL, and a route pattern', () => {
    expect(
      matchesOf('url', '/über-uns')
        .flat()
        .map(({ from }) => from),
    ).toContain('/%C3%BCber-uns');
    expect(
      matchesOf('url', '/orders/{id}')
        .flat()
        .map(({ from }) => from),
    ).toContain('/orders/{id}');
  });
});

describe('a filter by release', () => {
  it.each([
    ['shop@1.4.2', 'shop@1.4.2'],
    ['1.4.2', 'shop@1.4.2'],
    ['1.4.2', '@acme/shop@1.4.2'],
    ['1.4.2', 'shop@1.4.2+77'],
    ['1.4.2+77', 'shop@1.4.2+77'],
    ['shop@1.4.2', 'shop@1.4.2+77'],
    ['1.4.2', '1.4.2'],
    ['1.4.2', '1.4.2+77'],
    ['3f9c2d1', 'shop@3f9c2d1'],
  ])('finds a whole name or its version, with or without a build: %s of %s', (text, release) => {
    expect(isAmong(factFormsOf({ ...NO_FACTS, release }), matchesOf('release', text))).toBe(true);
  });

  it.each([
    ['1.4.2', 'shop@1.4.20'],
    ['1.4.2', 'shop@1.4.2-rc.1'],
    ['1.4.2', 'shop@11.4.2'],
    ['1.4', 'shop@1.4.2'],
    ['1.4.2+7', 'shop@1.4.2+77'],
    ['77', 'shop@1.4.2+77'],
    ['shop', 'shop@1.4.2'],
    ['acme/shop', '@acme/shop'],
    ['cart@1.4.2', 'shop@1.4.2'],
    ['SHOP@1.4.2', 'shop@1.4.2'],
  ])('finds no other release: %s of %s', (text, release) => {
    expect(isAmong(factFormsOf({ ...NO_FACTS, release }), matchesOf('release', text))).toBe(false);
  });
});

describe('a filter by a name', () => {
  it.each(['release', 'user'])('has the length of the stored one: %s', (filter) => {
    const long = 'v'.repeat(260);

    expect(matchesOf(filter, long).flat()[0]?.from).toBe(nameText(long));
    expect(matchesOf(filter, long.slice(0, 230)).flat()[0]?.from).toHaveLength(230);
  });

  it.each([
    ['ANN@shop.example', 'ann@shop.example'],
    ['Zoe\u0308', 'zoë'],
    ['ALICE', 'alice'],
    [' 4711 ', '4711'],
  ])('has the form of the stored one: %s', (typed, stored) => {
    expect(matchesOf('user', typed).flat()[0]?.from).toBe(stored);
  });

  it('finds what an earlier version has stored: names with their capitals', () => {
    expect(
      matchesOf('user', 'Ann Lee')
        .flat()
        .map(({ from }) => from),
    ).toEqual(['ann lee', 'ann lee\n', 'Ann Lee', 'Ann Lee\n']);
  });
});

describe('a filter by environment, server, browser or tag', () => {
  const row = {
    ...NO_FACTS,
    environment: 'Produktion Öst',
    server: 'Web-1',
    browser: 'Chrome 156 on Linux',
    tags: [['Plan', 'Gold Plus'] as const],
  };

  it.each([
    ['environment', 'PRODUKTION öst', true],
    ['environment', `produktion o\u0308st`, true],
    ['environment', 'produktion', false],
    ['environment', 'web-1', false],
    ['server', ' web-1 ', true],
    ['server', 'web', false],
    ['server', '', false],
    ['browser', 'chrome', true],
    ['browser', 'Chrome 156', true],
    ['browser', 'linux', false],
    ['tag', 'plan:gold plus', true],
    ['tag', 'plan:gold', false],
    ['tag', 'plan', false],
    ['tag', 'plan:', false],
  ])('finds by %s:%s: %s', (filter, value, isFound) => {
    expect(isAmong(factFormsOf(row), matchesOf(filter, value))).toBe(isFound);
  });

  it('has the length of the stored one', () => {
    const [environment, value] = ['E'.repeat(300), 'V'.repeat(300)];
    const facts = factFormsOf({
      ...NO_FACTS,
      environment: environment.slice(0, 250),
      tags: [['a', value.slice(0, 64)]],
    });

    expect(isAmong(facts, matchesOf('environment', environment))).toBe(true);
    expect(isAmong(facts, matchesOf('tag', `a:${value}`))).toBe(true);
  });
});
