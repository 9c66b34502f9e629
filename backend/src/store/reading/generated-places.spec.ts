import { faultFrame } from './frame-names.ts';

function placeOf(platform: string, module: string): string {
  const read = faultFrame({ in_app: true, function: 'f', module }, platform, '/srv/shop');
  return typeof read === 'string' ? read : read.file;
}

describe('the place of a frame that a process generates', () => {
  // Forms of the libraries' own naming: ByteBuddy NamingStrategy, CGLIB DefaultNamingPolicy, Guice, Javassist ProxyFactory,
  // Clojure RT.nextID, Groovy ClosureWriter, Castle NamingScope. Each is random or counted in a process.
  it.each([
    ['java', 'com.shop.Cart$HibernateProxy$SzXDkaYB', 'com.shop.Cart$HibernateProxy$q9TTbbRe'],
    ['java', 'com.shop.Cart$ByteBuddy$a1B2c3D4', 'com.shop.Cart$ByteBuddy$AbCdEfGh'],
    ['java', 'com.shop.Cart$HibernateInstantiator$bXr3kAq0', 'com.shop.Cart$HibernateInstantiator$ZyXwVuTs'],
    ['java', 'com.shop.Cart$MockitoMock$1473888858', 'com.shop.Cart$MockitoMock$AbCdEfGh'],
    [
      'java',
      'com.shop.Cart$ByteBuddy$a1B2c3D4$auxiliary$hX3f2Tq1',
      'com.shop.Cart$ByteBuddy$AbCdEfGh$auxiliary$ZyXwVuTs',
    ],
    ['java', 'Cart_$$_jvst38e_0', 'Cart_$$_jvstcc1_1f'],
    ['java', 'Cart_$$_javassist_74', 'Cart_$$_javassist_8'],
    ['java', 'Cart_$$_javassist_seam_74', 'Cart_$$_javassist_seam_8'],
    ['java', 'Cart$$EnhancerByCGLIB$$1a2b3c4d_2', 'Cart$$EnhancerByCGLIB$$caceaced'],
    [
      'java',
      'Cart$$EnhancerByGuice$$ae46b1bf$$FastClassByGuice$$caceacd2',
      'Cart$$EnhancerByGuice$$deadbeef$$FastClassByGuice$$308450093',
    ],
    ['java', 'Cart$EnhancerByGuice$ae46b1bf', 'Cart$EnhancerByGuice$deadbeef'],
    ['java', 'jdk.proxy2.$Proxy12', 'jdk.proxy3.$Proxy9'],
    ['java', 'com.sun.proxy.$Proxy12', 'com.sun.proxy.$Proxy9'],
    ['java', 'shop.cart$add$fn__1234', 'shop.cart$add$fn__807'],
    ['java', 'user$eval6648$fn__6649', 'user$eval12$fn__13'],
    ['java', 'shop.cart$loading__6789__auto____19658', 'shop.cart$loading__6012__auto____777'],
    ['java', 'shop.cart$fn__14783$G__14778__14790', 'shop.cart$fn__12$G__13__14'],
    ['java', 'shop.Cart$_add_closure1$_closure2', 'shop.Cart$_add_closure3$_closure1'],
    ['groovy', 'shop.Cart$_closure1', 'shop.Cart$_closure12'],
    ['groovy', 'shop.Cart$_add_lambda1', 'shop.Cart$_add_lambda2'],
    ['groovy', 'Script12$_run_closure1', 'Script7$_run_closure1'],
    ['csharp', 'Castle.Proxies.CartProxy_2', 'Castle.Proxies.CartProxy'],
    ['csharp', 'Castle.Proxies.Invocations.Shop`7_Add_8', 'Castle.Proxies.Invocations.Shop`7_Add'],
    ['csharp', 'generatedProxy_3', 'generatedProxy_14'],
  ])('is on %s one for %j and %j of another process', (platform, one, other) => {
    expect(placeOf(platform, one)).toBe(placeOf(platform, other));
  });

  it.each([
    ['java', 'com.shop.Cart$Discount'],
    ['java', 'com.shop.Cart$HibernateProxy$Builder'],
    ['java', 'com.shop.Cart$HibernateUtil$Discount'],
    ['java', 'com.shop.Proxy12'],
    ['java', 'com.shop.jdk.proxy2.Cart'],
    ['java', 'com.shop.Script12'],
    ['java', 'com.shop.Cart__12'],
    ['java', 'com.shop.Closure1'],
    ['java', 'com.shop.CartEnhancerByHand'],
    ['java', 'Cart$Proxy$_$$_WeldClientProxy'],
    ['java', 'shop.core$add_item'],
    ['java', 'shop.core$add__2'],
    ['java', 'shop.core$evaluate12'],
    ['csharp', 'Shop.CartProxy_2'],
    ['csharp', 'Castle.Proxies.Cart_2Proxy'],
    ['csharp', 'Shop.lambda_methods'],
  ])('is on %s the whole stable name %j', (platform, module) => {
    expect(placeOf(platform, module)).toBe(module);
  });
});
