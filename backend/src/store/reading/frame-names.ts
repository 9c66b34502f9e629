import { hash } from 'node:crypto';
import type { FaultFrame } from '../../digest/fault.ts';
import { ownPath } from '../../digest/file-path.ts';
import type { Fields } from '../../digest/fields.ts';
import { type ForeignFrame, scriptFrame } from '../../digest/own-frames.ts';

/**
 * The place and the function of a frame in the digest, by the platform of the frame. Only JavaScript's names are cut to
 * their last part; those of all others count as a whole, because a dot, a slash or a blank means something else in each
 * language. Parts that a compiler generates (lines, counters, hashes) change with an edit or a build and are removed.
 */

/** Platforms whose frames have V8's names. */
const SCRIPT: ReadonlySet<unknown> = new Set(['javascript', 'node']);
/** Platforms whose module contains the package and the class, while the file has a bare name or a path of the build. */
const BY_MODULE: ReadonlySet<unknown> = new Set(['java', 'groovy', 'csharp', 'elixir', 'go']);

type Removal = readonly [generated: RegExp, rest: string];

/**
 * Names that ByteBuddy makes at random: `Cart$HibernateProxy$SzXDkaYB`, `Cart$auxiliary$hX3f2Tq1`, `add$original$dQw4w9Wg`. In
 * `Cart$original$listener$1`, a name of Kotlin, a number follows.
 */
const RANDOM_NAME =
  /(?<=\$(?:ByteBuddy|Hibernate(?:Proxy|BasicProxy|Instantiator|AccessOptimizer)|MockitoMock|auxiliary|original|accessor)\$)[A-Za-z\d]{8}(?![A-Za-z\d]|\$\d)/g;
/** Functions of Clojure, numbered in each process: `cart$add$fn__1234`, `user$eval12$fn__13`, and `cart/add/fn--1234` as people read it. */
const CLOJURE: Removal = [/(?<=[$/](?:eval|[^\s.$/]{1,100}(?:__|--)))\d{2,}(?=$|[$./_-])/g, ''];
const JVM: readonly Removal[] = [
  [RANDOM_NAME, ''],
  // CGLIB: `Cart$$EnhancerByGuice$$ae46b1bf$$FastClassByGuice$$caceacd2`, `Cart$$EnhancerByCGLIB$$1a2b3c4d_2`
  [/(?<=(?:Enhancer|FastClass)By[A-Za-z]{1,40}\${1,2})[\da-f]{1,16}(?:_\d+)?(?!\w)/g, ''],
  // Javassist: `Cart_$$_jvst38e_0`, `Cart_$$_javassist_74`, `Cart_$$_javassist_seam_74`
  [/(?<=_\$\$_(?:jvst|javassist(?:_seam)?))_?[\da-f]+(?:_[\da-f]+)?(?![A-Za-z\d])/g, ''],
  // `Cart$$Lambda$14/0x0000000800066840`, `Cart$$EnhancerBySpringCGLIB$$1a2b3c4d`, `Cart$$SpringCGLIB$$0`
  [/\/(?:0x[\da-f]+|\d+)$/i, ''],
  [/\$\$(?=[a-f]*\d)[\da-f]{1,16}(?!\w)/gi, '$$$$'],
  // Anonymous classes and lambdas: `Cart$1`, `lambda$add$0`, `access$000`, `ExternalSyntheticLambda7`, `jdk.proxy2.$Proxy12`
  [/\$\d+(?=$|[.$])/g, '$$'],
  [/(?<=SyntheticLambda|\$Proxy|MethodAccessor|ConstructorAccessor|^jdk\.proxy)\d+/g, ''],
  // JBoss: `Cart$$$view12`, `Cart$$$endpoint3`. Spark: `GeneratedClass$GeneratedIteratorForCodegenStage12`
  [/(?<=\$\$\$(?:view|endpoint)|\$GeneratedIteratorForCodegenStage)\d+(?=$|\$)/g, ''],
  // Groovy: closures `Cart$_add_closure1$_closure2`, and scripts without a name, `Script12`, `script3`, `Script_` with a hash
  [/(?<=\$_(?:\w{1,100}_)?(?:closure|lambda)|^[Ss]cript)\d+(?=$|\$)/g, ''],
  [/(?<=\b[Ss]cript_?)[\da-f]{32,64}(?=$|\$)/g, ''],
  CLOJURE,
];
const DOTNET: readonly Removal[] = [
  // Lambdas, state machines and local functions: `<Add>b__12_0`, `<AddAsync>d__5`, `<>c__DisplayClass3_0`, `<Add>g__Sum|3_1`
  [/(?<=>[a-z]__|DisplayClass|\|)\d+(?:_\d+)*/g, ''],
  // Numbered in each process: `lambda_method143(Closure, Object)`, `generatedProxy_3`, `Castle.Proxies.CartProxy_2`
  [/(?<=\blambda_method|\bgeneratedProxy_)\d+/g, ''],
  [/(?<=^Castle\.Proxies\.\S{1,400})_\d+(?=$|[`[])/g, ''],
  // Proxies of Entity Framework 6, with a hash of the entity: `System.Data.Entity.DynamicProxies.Cart_` and 64 digits
  [/(?<=_)[\dA-F]{64}(?!\w)/g, ''],
  // IL2CPP of Unity: a hash of 40 digits
  [/(?<=_m)[\dA-F]{40}$/, ''],
];
const NATIVE: readonly Removal[] = [
  // Copies by the optimiser: `add [clone .cold]`, `add.isra.0`, `add.llvm.123`; the hash of Rust; an offset
  [/ \[clone [^\]]*\]/g, ''],
  [/(?:\.(?:isra|constprop|part|cold|llvm|lto_priv)(?:\.\d+)*)+$/, ''],
  [/::h[\da-f]{16}$/, ''],
  [/ \+ \d+$/, ''],
  // Lambdas: `{lambda(int)#1}`, `$_0`, `'lambda0'`, `<lambda_1a2b3c>`
  [/(?<=\{lambda\([^{}]{0,500}\))#\d+(?=\})/g, ''],
  [/(?<=\$_|'lambda)\d+/g, ''],
  [/(?<=<lambda_)[\da-f]+(?=>)/g, ''],
  // Blocks of Objective-C, closures of Swift and Rust: `_block_invoke_2`, `closure #1 in`, `{closure#0}`
  [/(?<=_block_invoke)[._]\d+/g, ''],
  [/(?<=\bclosure(?:_env)?) ?#\d+/g, ''],
];
const ELIXIR: readonly Removal[] = [
  // Arguments, sent where no clause of the function matches: `Cart.add("A-17", 2)`
  [/(?<=[\w?!])\(.*\)$/s, ''],
  // Anonymous functions and comprehensions of Erlang: `-add/2-fun-0-`, `-add/2-lc$^0/1-0-`
  [/(?<=-fun-|-l?b?c\$\^)\d+(?:\/\d+-\d+)?(?=-)/g, ''],
];
const GO: readonly Removal[] = [
  // Closures and type arguments: `Add.func1.2`, `Add.gowrap1`, `Add-range1`, `init.0`, `Map[go.shape.int]`
  [/(?<=\.(?:func|gowrap|deferwrap)|-range)\d+/g, ''],
  [/(?<=\.(?:func|gowrap|deferwrap)|^init)(?:\.\d+)+/g, ''],
  [/\[.*\]/s, ''],
];
const PHP: readonly Removal[] = [
  // Anonymous classes with their file, `Base@anonymous\0/app/src/x.php:7$0`, of which sentry-php cuts `:7$0`
  [/(?<=@anonymous)(?:\0|(?=(?:[a-z]:)?[\\/]|[^\s:]*:\d+\$))(?:(?!::)[^\0{}])*/gi, ''],
  // Closures since PHP 8.4: `{closure:App\Cart::add():12}`, `{closure:/app/src/x.php:12}`
  [/:\d+(?=\})/g, ''],
  [/(?<=\{closure:)(?:[a-z]:)?[^{}:]*[\\/](?=[^{}:\\/]*\.\w+\})/gi, ''],
];
/** Private types of Swift, by the address where they are loaded: `Shop.(unknown context at $1062cdb7c).CartError`. */
const SWIFT: readonly Removal[] = [[/(?<=\(unknown context at )\$[\da-f]+(?=\))/g, '']];
/** Generated names of classes, which can be thrown, too. */
const CLASSES: ReadonlyMap<unknown, readonly Removal[]> = new Map([
  ['java', JVM],
  ['groovy', JVM],
  ['clojure', [CLOJURE]],
  ['csharp', DOTNET],
  ['cocoa', SWIFT],
  ['swift', SWIFT],
  ['php', PHP],
  // Classes without a name, by their address: `#<Class:0x00007f983cbb4b18>`
  ['ruby', [[/(?<=#<Class:)0x[\da-f]+(?=>)/g, '']]],
]);
/** Generated names of functions alone: `NotFound[shop.Cart]` of Go is a type of its own, `com.shop.part` a domain of Apple. */
const FUNCTIONS: ReadonlyMap<unknown, readonly Removal[]> = new Map([
  ['native', NATIVE],
  ['c', NATIVE],
  ['cocoa', NATIVE],
  ['objc', NATIVE],
  ['swift', NATIVE],
  ['elixir', ELIXIR],
  ['go', GO],
  // Methods of templates: `_app_views_orders_show_html_erb__1234567890_56780`
  ['ruby', [[/(?<=_(?:erb|haml|slim|builder|jbuilder))_{1,3}-?\d+_-?\d+/, '']]],
]);

/** Names that say that there is none. */
const NAMELESS: ReadonlySet<string> = new Set(['', '?', '<unknown>', '<redacted>', 'unknown', '??']);
/** A frame's line in the digest has 200 characters: of a longer name its hash tells the end. */
const MAX_LENGTH = 95;
const HASH_LENGTH = 12;
/** Longest name that is read. */
const MAX_RAW_LENGTH = 2_048;

/** Returns a frame for the digest. @param platform of the event, which counts where the frame has none. */
export function faultFrame(frame: Fields, platform: unknown, root: string): FaultFrame | ForeignFrame {
  const own = frame['platform'] ?? platform;
  if (SCRIPT.has(own))
    return scriptFrame({ file: scriptFile(frame), function: textOf(frame['function']) || null }, root);
  if (frame['in_app'] === false) return 'foreign';
  const name = cleanedName(textOf(frame['function']).trim(), own);
  const place = placeOf(frame, own, root);
  const isNameless = NAMELESS.has(name);
  if (place === null || (place === '' && isNameless)) return 'foreign';
  return { file: shortened(place), function: isNameless ? null : shortened(name) };
}

/** `in_app: false` marks foreign code; the path of a package is needed to recognise frameworks. */
function scriptFile(frame: Fields): string {
  const file = textOf(frame['filename']) || textOf(frame['abs_path']) || textOf(frame['module']);
  return frame['in_app'] === false && !file.includes('node_modules') ? '<foreign>' : file;
}

/** Returns the type of an exception without generated parts. */
export function faultType(type: string, platform: unknown): string {
  return cleaned(textOf(type), CLASSES.get(platform));
}

/**
 * Returns a message with a digit in place of random names (`class Cart$HibernateProxy$SzXDkaYB cannot be cast`). Words with a
 * digit do not count, and one random name in four has none.
 */
export function faultMessage(message: string, platform: unknown): string {
  return CLASSES.get(platform) === JVM ? message.replace(RANDOM_NAME, '0') : message;
}

/** Returns the module or the file, else the name of the binary; '' without any, null for code without a file. */
function placeOf(frame: Fields, platform: unknown, root: string): string | null {
  const module = cleanedName(textOf(frame['module']), platform);
  if (module !== '' && BY_MODULE.has(platform)) return module;
  const path = textOf(frame['abs_path']);
  const file = path.startsWith('package:') ? path : textOf(frame['filename']) || path;
  // Godot's root of a project, which is no host.
  if (file !== '') return ownPath(file.replace(/^(?:res|user):\/\//, ''), root);
  // `/usr/lib/libshop.so`, and .NET's `Shop, Version=1.2.0.0`.
  return module || textOf(frame['package']).replace(/^.*[\\/]|,.*$/gs, '');
}

function cleanedName(name: string, platform: unknown): string {
  return cleaned(cleaned(name, CLASSES.get(platform)), FUNCTIONS.get(platform));
}

function cleaned(name: string, removals: readonly Removal[] = []): string {
  return removals.reduce((text, [generated, rest]) => text.replace(generated, rest), name);
}

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  return `${text.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}~${hash('sha256', text, 'hex').slice(0, HASH_LENGTH)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_RAW_LENGTH) : '';
}
