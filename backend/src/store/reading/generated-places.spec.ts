import { faultFrame, faultType } from './frame-names.ts';

function placeOf(platform: string, module: string): string {
  const read = faultFrame({ in_app: true, function: 'f', module }, platform, '/srv/shop');
  return typeof read === 'string' ? read : read.file;
}

describe('a class that a process generates, as the place of a frame and as the type of an exception', () => {
  // Forms of the libraries' own naming: ByteBuddy NamingStrategy, CGLIB DefaultNamingPolicy, Guice, Javassist ProxyFactory,
  // Clojure RT.nextID, Groovy ClosureWriter, GroovyShell and GroovyClassLoader, JBoss ViewConfiguration, Spark
  // WholeStageCodegenExec, Castle NamingScope, Entity Framework EntityProxyFactory. Each is random, counted or a hash.
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
    ['java', 'com.shop.Cart$auxiliary$AbCd1234', 'com.shop.Cart$auxiliary$ZyXwVuTs'],
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
    ['java', 'Cart$$EnhancerBySpringCGLIB$$ae46b1bf', 'Cart$$EnhancerBySpringCGLIB$$5e1b7a2c'],
    ['java', 'Cart$$SpringCGLIB$$0', 'Cart$$SpringCGLIB$$2'],
    ['java', 'com.shop.Cart$$$view12', 'com.shop.Cart$$$view7'],
    ['java', 'com.shop.Cart$$$endpoint3', 'com.shop.Cart$$$endpoint12'],
    [
      'java',
      'org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage12',
      'org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage3',
    ],
    ['java', 'jdk.proxy2.$Proxy12', 'jdk.proxy3.$Proxy9'],
    ['java', 'com.sun.proxy.$Proxy12', 'com.sun.proxy.$Proxy9'],
    ['java', 'shop.cart$add$fn__1234', 'shop.cart$add$fn__807'],
    ['java', 'shop.cart$add$reify__1234', 'shop.cart$add$reify__807'],
    ['java', 'user$eval6648$fn__6649', 'user$eval12$fn__13'],
    ['java', 'shop.cart$loading__6789__auto____19658', 'shop.cart$loading__6012__auto____777'],
    ['java', 'shop.cart$fn__14783$G__14778__14790', 'shop.cart$fn__12$G__13__14'],
    ['java', 'shop.Cart$_add_closure1$_closure2', 'shop.Cart$_add_closure3$_closure1'],
    ['groovy', 'shop.Cart$_closure1', 'shop.Cart$_closure12'],
    ['groovy', 'shop.Cart$_add_lambda1', 'shop.Cart$_add_lambda2'],
    ['groovy', 'Script12$_run_closure1', 'Script7$_run_closure1'],
    ['groovy', 'script3', 'script12'],
    ['groovy', `Script_${'0a'.repeat(16)}$_run_closure1`, `Script_${'1b'.repeat(16)}$_run_closure1`],
    ['java', `com.shop.Script${'0a'.repeat(16)}`, `com.shop.Script${'1b'.repeat(16)}`],
    [
      'csharp',
      `System.Data.Entity.DynamicProxies.Cart_${'0A'.repeat(32)}`,
      `System.Data.Entity.DynamicProxies.Cart_${'1B'.repeat(32)}`,
    ],
    ['csharp', 'Castle.Proxies.CartProxy_2', 'Castle.Proxies.CartProxy'],
    ['csharp', 'Castle.Proxies.Invocations.Shop`7_Add_8', 'Castle.Proxies.Invocations.Shop`7_Add'],
    ['csharp', 'generatedProxy_3', 'generatedProxy_14'],
  ])('is on %s one for %j and %j of another process', (platform, one, other) => {
    expect(placeOf(platform, one)).toBe(placeOf(platform, other));
    expect(faultType(one, platform)).toBe(faultType(other, platform));
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
    ['java', 'com.shop.Cart$$$preview12'],
    ['java', 'com.shop.Cart$CodegenStage12'],
    ['java', 'com.shop.auxiliary.AbCd1234'],
    ['java', `com.shop.PostScript${'0a'.repeat(16)}`],
    ['java', 'com.shop.Script_deadbeef'],
    ['java', 'shop.core$reify_cart'],
    ['java', 'Cart$Proxy$_$$_WeldClientProxy'],
    ['java', 'shop.core$add_item'],
    ['java', 'shop.core$add__2'],
    ['java', 'shop.core$evaluate12'],
    ['csharp', 'Shop.CartProxy_2'],
    ['csharp', 'Castle.Proxies.Cart_2Proxy'],
    ['csharp', 'Shop.lambda_methods'],
    ['csharp', `Shop.Cart_${'0A'.repeat(16)}`],
  ])('is on %s the whole stable name %j', (platform, module) => {
    expect(placeOf(platform, module)).toBe(module);
    expect(faultType(module, platform)).toBe(module);
  });

  it.each([
    ['cocoa', 'Shop.(unknown context at $1062cdb7c).CartError', 'Shop.(unknown context at ).CartError'],
    ['ruby', '#<Class:0x00007f983cbb4b18>::CartError', '#<Class:>::CartError'],
    ['java', 'Cart$1', 'Cart$'],
    ['cocoa', 'com.shop.part', 'com.shop.part'],
    ['cocoa', 'Shop.(unknown context).CartError', 'Shop.(unknown context).CartError'],
    ['native', 'shop::Error + 1', 'shop::Error + 1'],
    ['go', '*shop.NotFound[shop.Cart]', '*shop.NotFound[shop.Cart]'],
    ['elixir', 'Shop.CartError(1)', 'Shop.CartError(1)'],
    ['ruby', '#<Class:Cart>', '#<Class:Cart>'],
    ['node', 'Cart$1', 'Cart$1'],
  ])('is on %s for the type %j of an exception: %j', (platform, type, counted) => {
    expect(faultType(type, platform)).toBe(counted);
  });
});
