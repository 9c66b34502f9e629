import { matchesOf, nameText, placeForms, placeIn, placesOf } from './fact-forms.ts';

/** Returns whether `url:` with a text finds an event of a URL. */
function finds(text: string, url: string): boolean {
  const facts = placesOf(placeIn(url) ?? '').flatMap((place) => placeForms(place).slice(0, 1));
  return matchesOf('url', text).some(({ from, to }) =>
    facts.some((fact) => (to === null ? fact === from : fact >= from && fact < to)),
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
    'shop.example/checkout?step=2',
    '//shop.example/checkout',
    'localhost/checkout',
    'backend:3000/checkout',
    'müller.example/checkout',
    '/checkout',
  ])('finds a path with and without scheme and host: %s', (text) => {
    expect(finds(text, 'https://shop.example:8443/checkout/pay')).toBe(true);
    expect(finds('/checkout', text)).toBe(true);
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
    'https://shop.example',
    'https://shop.example/#/orders/7',
    'shop.example',
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

  it('finds nothing of a fragment that may be a secret', () => {
    expect(placeIn('https://shop.example/return#access_token=abc')).toBe('/return');
    expect(placeIn('https://shop.example/#/return&access_token=abc')).toBe('/#/return');
  });

  it('finds what an earlier version has stored: the path of the URL, and a route pattern', () => {
    expect(matchesOf('url', '/über-uns').map(({ from }) => from)).toContain('/%C3%BCber-uns');
    expect(matchesOf('url', '/orders/{id}').map(({ from }) => from)).toContain('/orders/{id}');
  });
});

describe('a filter by a name', () => {
  it.each(['release', 'user'])('has the length of the stored one: %s', (filter) => {
    const long = 'v'.repeat(260);

    expect(matchesOf(filter, long)[0]?.from).toBe(nameText(long));
    expect(matchesOf(filter, long.slice(0, 230))[0]?.from).toHaveLength(230);
  });

  it.each([
    ['ANN@shop.example', 'ann@shop.example'],
    ['Zoe\u0308', 'zoë'],
    ['ALICE', 'alice'],
    [' 4711 ', '4711'],
  ])('has the form of the stored one: %s', (typed, stored) => {
    expect(matchesOf('user', typed)[0]?.from).toBe(stored);
  });

  it('finds what an earlier version has stored: names with their capitals', () => {
    expect(matchesOf('user', 'Ann Lee').map(({ from }) => from)).toEqual([
      'ann lee',
      'ann lee\n',
      'Ann Lee',
      'Ann Lee\n',
    ]);
  });
});
