import type { Fields } from '../../digest/fields.ts';
import { faultFrame } from './frame-names.ts';

function lineOf(platform: string, frame: Fields): string {
  const read = faultFrame({ in_app: true, ...frame }, platform, '/srv/shop');
  return typeof read === 'string' ? read : `${read.file}#${read.function ?? ''}`;
}

const nameOf = (platform: string, name: string): string =>
  lineOf(platform, { filename: 'a.x', function: name }).replace(/^a\.x#/, '');

describe('the function of a frame in the digest', () => {
  // The part that counts, and the same function after an edit or a build.
  it.each([
    ['elixir', 'Shop.Cart.add/2', 'Shop.Cart.add/2', 'Shop.Cart.add/2'],
    [
      'elixir',
      'anonymous fn/1 in Shop.Cart.add/2',
      'anonymous fn/1 in Shop.Cart.add/2',
      'anonymous fn/1 in Shop.Cart.add/2',
    ],
    ['elixir', 'Shop.Cart.add("A-17", 2)', 'Shop.Cart.add', 'Shop.Cart.add("B-3", 9)'],
    ['elixir', '-add/2-fun-0-', '-add/2-fun--', '-add/2-fun-3-'],
    ['elixir', '-add/2-lc$^0/1-0-', '-add/2-lc$^-', '-add/2-lc$^1/1-2-'],
    ['go', '(*Cart).Add', '(*Cart).Add', '(*Cart).Add'],
    ['go', 'Cart.Add.func1.2', 'Cart.Add.func', 'Cart.Add.func3.1'],
    ['go', 'glob..func1', 'glob..func', 'glob..func2'],
    ['go', 'Add.gowrap1', 'Add.gowrap', 'Add.gowrap2'],
    ['go', 'init.0', 'init', 'init.1'],
    ['go', 'Map[go.shape.int]', 'Map', 'Map[go.shape.[]string]'],
    ['java', 'lambda$add$0', 'lambda$add$', 'lambda$add$7'],
    ['java', 'access$000', 'access$', 'access$100'],
    ['java', 'invokeSuspend', 'invokeSuspend', 'invokeSuspend'],
    ['java', '<init>', '<init>', '<init>'],
    ['csharp', 'Add (System.Int32 n)', 'Add (System.Int32 n)', 'Add (System.Int32 n)'],
    [
      'csharp',
      'async Task Cart.AddAsync(string sku)',
      'async Task Cart.AddAsync(string sku)',
      'async Task Cart.AddAsync(string sku)',
    ],
    ['csharp', '<Add>b__12_0', '<Add>b__', '<Add>b__13_1'],
    ['csharp', '<Add>g__Sum|3_1', '<Add>g__Sum|', '<Add>g__Sum|4_0'],
    ['csharp', `Cart_Add_m${'0A'.repeat(20)}`, 'Cart_Add_m', `Cart_Add_m${'F1'.repeat(20)}`],
    [
      'native',
      'shop::Cart::add(std::string const&)',
      'shop::Cart::add(std::string const&)',
      'shop::Cart::add(std::string const&)',
    ],
    [
      'native',
      'Cart::add(int)::{lambda(int)#1}::operator()(int) const',
      'Cart::add(int)::{lambda(int)}::operator()(int) const',
      'Cart::add(int)::{lambda(int)#2}::operator()(int) const',
    ],
    [
      'native',
      'Cart::add(int)::$_0::operator()() const',
      'Cart::add(int)::$_::operator()() const',
      'Cart::add(int)::$_3::operator()() const',
    ],
    [
      'native',
      'Cart::add(int) [clone .cold]',
      'Cart::add(int)',
      'Cart::add(int) [clone .isra.0] [clone .part.1]',
    ],
    ['c', 'cart_add.constprop.0', 'cart_add', 'cart_add.isra.0.cold'],
    [
      'native',
      'Cart::<lambda_1a2b3c>::operator()',
      'Cart::<lambda_>::operator()',
      'Cart::<lambda_9f8e7d>::operator()',
    ],
    ['native', 'shop::cart::add::h0123456789abcdef', 'shop::cart::add', 'shop::cart::add::hfedcba9876543210'],
    ['native', 'shop::cart::add::{closure#0}', 'shop::cart::add::{closure}', 'shop::cart::add::{closure#2}'],
    ['cocoa', '-[Cart addItem:at:]', '-[Cart addItem:at:]', '-[Cart addItem:at:]'],
    [
      'cocoa',
      '__20-[Cart addItem:at:]_block_invoke_2',
      '__20-[Cart addItem:at:]_block_invoke',
      '__20-[Cart addItem:at:]_block_invoke_3',
    ],
    ['cocoa', 'closure #1 in Cart.add(item:)', 'closure in Cart.add(item:)', 'closure #2 in Cart.add(item:)'],
    ['dart', 'Cart.add.<anonymous closure>', 'Cart.add.<anonymous closure>', 'Cart.add.<anonymous closure>'],
    ['php', 'App\\Cart::add', 'App\\Cart::add', 'App\\Cart::add'],
    ['php', '{closure:App\\Cart::add():12}', '{closure:App\\Cart::add()}', '{closure:App\\Cart::add():19}'],
    [
      'php',
      '{closure:{closure:App\\Cart::add():12}:13}',
      '{closure:{closure:App\\Cart::add()}}',
      '{closure:{closure:App\\Cart::add():14}:15}',
    ],
    ['php', '{closure:/srv/shop/src/cart.php:12}', '{closure:cart.php}', '{closure:/app/src/cart.php:19}'],
    [
      'php',
      'App\\Base@anonymous\0/srv/shop/src/x.php:7$0::run',
      'App\\Base@anonymous::run',
      'App\\Base@anonymous\0/app/src/x.php:9$1f::run',
    ],
    // Without the line, as sentry-php sends it (FrameBuilder); with a prefix that it was told to remove; of PHP 7.
    [
      'php',
      'App\\Base@anonymous\0/srv/releases/41/src/x.php::run',
      'App\\Base@anonymous::run',
      'App\\Base@anonymous\0C:\\my app\\src\\x.php::run',
    ],
    [
      'php',
      'class@anonymous\0src/x.php::run',
      'class@anonymous::run',
      'class@anonymous\0/x.php0x7f1c2d3e::run',
    ],
    ['php', 'class@anonymous/srv/x.php:7$0::run', 'class@anonymous::run', 'class@anonymousx.php:7$0::run'],
    [
      'php',
      '{closure:class@anonymous\0/srv/41/x.php:7$0::run():12}',
      '{closure:class@anonymous::run()}',
      '{closure:class@anonymous\0/srv/42/x.php:7$0::run():12}',
    ],
    ['clojure', 'shop.cart$add$fn__1234/invoke', 'shop.cart$add$fn__/invoke', 'shop.cart$add$fn__807/invoke'],
    ['clojure', 'shop.cart/add/fn--1234', 'shop.cart/add/fn--', 'shop.cart/add/fn--807'],
    ['java', 'add$original$dQw4w9Wg', 'add$original$', 'add$original$AbCdEfGh'],
    [
      'java',
      'add$original$dQw4w9Wg$accessor$hX3f2Tq1',
      'add$original$$accessor$',
      'add$original$AbCdEfGh$accessor$ZyXwVuTs',
    ],
    ['csharp', 'lambda_method143', 'lambda_method', 'lambda_method7'],
    [
      'csharp',
      'object lambda_method143(Closure, object)',
      'object lambda_method(Closure, object)',
      'object lambda_method9(Closure, object)',
    ],
    ['ruby', 'block (2 levels) in Cart#add', 'block (2 levels) in Cart#add', 'block (2 levels) in Cart#add'],
    [
      'ruby',
      '_app_views_orders_show_html_erb__1234567890_56780',
      '_app_views_orders_show_html_erb',
      '_app_views_orders_show_html_erb___987_42',
    ],
    ['python', 'Cart.add.<locals>.<lambda>', 'Cart.add.<locals>.<lambda>', 'Cart.add.<locals>.<lambda>'],
    ['python', '<module>', '<module>', '<module>'],
    ['godot', '_on_timer_timeout', '_on_timer_timeout', '_on_timer_timeout'],
    ['brainfuck', 'a.b/c d', 'a.b/c d', 'a.b/c d'],
    ['node', 'async Orders.load [as run]', 'load', 'new SubOrders.load'],
  ])('is on %s for %j the part that does not change: %j', (platform, name, counts, later) => {
    expect(nameOf(platform, name)).toBe(counts);
    expect(nameOf(platform, later)).toBe(counts);
  });

  it.each([
    ['elixir', 'Shop.Cart.add/2', 'Shop.Cart.remove/2'],
    ['elixir', 'Shop.Cart.add/2', 'Shop.Cart.add/3'],
    ['elixir', 'anonymous fn/1 in Shop.Cart.add/2', 'anonymous fn/1 in Shop.Cart.remove/2'],
    ['go', '(*Cart).Add.func1', '(*Cart).Remove.func1'],
    ['java', 'lambda$add$0', 'lambda$remove$0'],
    ['csharp', 'Add (System.Int32 n)', 'Remove (System.Int32 n)'],
    ['csharp', '<Add>b__12_0', '<Remove>b__12_0'],
    ['native', 'Cart::add(int)', 'Cart::add(long)'],
    ['native', 'Cart::operator+(int)', 'Cart::operator-(int)'],
    ['native', `a<${'std::pair<'.repeat(40)}int>`, `a<${'std::pair<'.repeat(40)}long>`],
    ['cocoa', '-[Cart addItem:at:]', '-[Cart removeItem:at:]'],
    ['cocoa', '+[Cart add]', '-[Cart add]'],
    ['cocoa', 'closure #1 in Cart.add()', 'closure #1 in Cart.remove()'],
    ['dart', 'Cart.add.<anonymous closure>', 'Cart.remove.<anonymous closure>'],
    ['php', '{closure:App\\Cart::add():12}', '{closure:App\\Cart::remove():12}'],
    ['ruby', 'block in Cart#add', 'block in Cart#remove'],
    ['python', 'add.<locals>.<lambda>', 'remove.<locals>.<lambda>'],
    ['other', 'add', 'remove'],
  ])('differs on %s for %j and %j', (platform, one, other) => {
    expect(nameOf(platform, one)).not.toBe(nameOf(platform, other));
  });
});

describe('the place of a frame in the digest', () => {
  it.each([
    ['java', { module: 'com.example.a.CartItem', filename: 'Cart.java' }, 'com.example.a.CartItem#f'],
    ['java', { module: 'com.example.Cart$1', filename: 'Cart.java' }, 'com.example.Cart$#f'],
    ['java', { module: 'com.example.Cart$$Lambda$14/0x0000000800066840' }, 'com.example.Cart$$Lambda$#f'],
    [
      'java',
      { module: 'com.example.Cart$$EnhancerBySpringCGLIB$$1a2b3c4d' },
      'com.example.Cart$$EnhancerBySpringCGLIB$$#f',
    ],
    ['java', { module: 'com.example.Cart$$SpringCGLIB$$0' }, 'com.example.Cart$$SpringCGLIB$$#f'],
    ['java', { module: 'jdk.proxy2.$Proxy12' }, 'jdk.proxy.$Proxy#f'],
    ['java', { module: 'com.shop.Cart$original$listener$1' }, 'com.shop.Cart$original$listener$#f'],
    ['java', { filename: 'Cart.java' }, 'Cart.java#f'],
    ['csharp', { module: 'Shop.Cart+<AddAsync>d__5', filename: 'Cart.cs' }, 'Shop.Cart+<AddAsync>d__#f'],
    ['csharp', { module: 'Shop.Cart+<>c__DisplayClass3_0' }, 'Shop.Cart+<>c__DisplayClass#f'],
    ['csharp', { package: 'Assembly-CSharp, Version=1.2.3.4, Culture=neutral' }, 'Assembly-CSharp#f'],
    ['elixir', { module: 'Shop.Cart', filename: 'lib/shop/cart.ex' }, 'Shop.Cart#f'],
    [
      'go',
      { module: 'github.com/acme/shop/cart', abs_path: '/build/7/cart.go' },
      'github.com/acme/shop/cart#f',
    ],
    ['python', { module: 'shop.stock', filename: 'shop/stock.py' }, 'shop/stock.py#f'],
    ['python', { module: 'shop.stock' }, 'shop.stock#f'],
    ['php', { filename: '/srv/app/src/Cart.php' }, 'Cart.php#f'],
    ['ruby', { filename: 'app/models/cart.rb' }, 'app/models/cart.rb#f'],
    [
      'dart',
      { filename: 'cart.dart', abs_path: 'package:shop/basket/cart.dart' },
      'package:shop/basket/cart.dart#f',
    ],
    ['godot', { filename: 'res://scenes/cart.gd' }, 'scenes/cart.gd#f'],
    ['native', { filename: 'cart.cpp', package: '/usr/lib/libshop.so' }, 'cart.cpp#f'],
    ['native', { package: '/usr/lib/libshop.so' }, 'libshop.so#f'],
    ['cocoa', { package: '/private/var/containers/Bundle/Application/7F-2A/App.app/App' }, 'App#f'],
    ['cocoa', {}, '#f'],
    ['node', { filename: '/srv/shop/dist/cart.js' }, 'cart#f'],
    ['node', { filename: 'libshop.so', platform: 'native' }, 'libshop.so#f'],
    ['python', { filename: '<string>' }, 'foreign'],
    ['java', { module: 'java.util.ArrayList', in_app: false }, 'foreign'],
  ])('is on %s for %j: %s', (platform, frame, line) => {
    expect(lineOf(platform, { function: 'f', ...frame })).toBe(line);
  });

  it.each(['?', '', '<redacted>', '<unknown>', undefined])('is the binary for the function %j', (name) => {
    expect(lineOf('native', { function: name, package: 'libshop.so', instruction_addr: '0x55d2' })).toBe(
      'libshop.so#',
    );
    expect(lineOf('native', { function: name, instruction_addr: '0x55d2' })).toBe('foreign');
  });

  it('reads long hostile names in linear time', () => {
    const hostile = [
      '$1',
      '$fn__12',
      '$ByteBuddy$',
      '@anonymous/',
      'EnhancerByA$$1',
      '$_closure1',
      '{lambda(',
      '#1',
      '.func1',
      '{closure:',
      ' [clone ',
      '(',
      '\0/',
    ];

    for (const platform of ['java', 'clojure', 'csharp', 'native', 'elixir', 'go', 'php', 'ruby'])
      for (const part of hostile) expect(nameOf(platform, part.repeat(100_000)).length).toBeLessThan(96);
  });
});
