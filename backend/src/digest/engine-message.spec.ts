import fc from 'fast-check';
import { growthOf, MAX_GROWTH } from '../time/growth.fixture.ts';
import { engineMessage } from './engine-message.ts';

describe('engineMessage', () => {
  it.each([
    [
      'a property of undefined',
      'access items of undefined',
      [
        "Cannot read properties of undefined (reading 'items')",
        "Cannot set properties of undefined (setting 'items')",
        'can\'t access property "items", t.cart is undefined',
        'can\'t access property "items", e is undefined',
        "undefined is not an object (evaluating 't.cart.items')",
        "undefined is not an object (evaluating 'e.items = n')",
      ],
    ],
    [
      'a property of null',
      'access <n> of null',
      [
        "Cannot read properties of null (reading 'focus')",
        "null is not an object (evaluating 'e.current.focus')",
        'can\'t access property "focus", e.current is null',
        'e is null',
        't.current is null',
        "Cannot destructure property 'focus' of 'e' as it is null.",
      ],
    ],
    [
      'a method that is none',
      'call total',
      [
        't.cart.total is not a function',
        "e.total is not a function. (In 'e.total(n)', 'e.total' is undefined)",
      ],
    ],
    [
      'an export that is no function',
      'call default',
      [
        '(0 , r.default) is not a function',
        '(0, n.default) is not a function',
        'r.default is not a function',
        "(0,t.default) is not a function. (In '(0,t.default)(e)', '(0,t.default)' is undefined)",
        "(0, _cart.default) is not a function. (In '(0, _cart.default)({id:n})', '(0, _cart.default)' is undefined)",
        "undefined is not a function (near '...(0,t.default)...')",
      ],
    ],
    [
      'an export that is no class',
      'construct Cart',
      [
        '(0 , r.Cart) is not a constructor',
        'n.Cart is not a constructor',
        "undefined is not a constructor (evaluating 'new (0,t.Cart)(e)')",
      ],
    ],
    [
      'an export whose result is no list',
      'iterate useCart',
      [
        '(0 , r.useCart) is not a function or its return value is not iterable',
        '(0, n.useCart)(...) is not iterable',
        "undefined is not a function (near '...t of (0,t.useCart)...')",
      ],
    ],
    ['a minified function that is none', 'call <name>', ['n is not a function', 'aBc is not a function']],
    ['a function that is none', 'call checkout', ['checkout is not a function']],
    ['a class that is none', 'construct Cart', ['e.Cart is not a constructor']],
    ['a list that is none', 'iterate <name>', ['e is not iterable', 'n is not iterable']],
    [
      'a variable before its declaration',
      'use early <name>',
      [
        "Cannot access 'e' before initialization",
        "Cannot access 'n' before initialization.",
        "can't access lexical declaration 'r' before initialization",
      ],
    ],
    ['a variable that is not there', 'find $', ['$ is not defined', "Can't find variable: $"]],
  ])('words %s the same in every browser and build', (_fault, wording, messages) => {
    const said = new Set(messages.map((message) => engineMessage('TypeError', message)));

    expect([...said]).toEqual([wording]);
  });

  it.each([
    ["Cannot read properties of undefined (reading '4711')", 'access <n> of undefined'],
    ["undefined is not an object (evaluating 'e[0]')", 'access <n> of undefined'],
    ['f(...) is not a function', 'call <n>'],
    ["Cannot read properties of null (reading 'a\nf admin#run')", null],
  ])('keeps only a name of %j', (message, said) => {
    expect(engineMessage('TypeError', message)).toBe(said);
  });

  it('keeps two errors of one function distinct', () => {
    const said = ["(reading 'items')", "(reading 'total')"].map((end) =>
      engineMessage('TypeError', `Cannot read properties of undefined ${end}`),
    );

    expect(said[0]).not.toBe(said[1]);
  });

  it.each([
    ['CheckoutError', 'cart is not a function'],
    ['TypeError', 'The total of the order is not a number'],
    ['TypeError', 'Failed to fetch'],
  ])('ignores messages that no engine writes: %s, %j', (type, message) => {
    expect(engineMessage(type, message)).toBeNull();
  });

  it('is one line without digits for any text, in little time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.nat(3), (noise, form) => {
        const message = [
          `Cannot read properties of null (reading '${noise}')`,
          `${noise} is not a function`,
          `can't access property "${noise}", ${noise} is undefined`,
          noise,
        ][form];

        expect(engineMessage('TypeError', message ?? '') ?? '').not.toMatch(/[\p{Cc}\p{Nd}\u2028\u2029]/u);
      }),
    );
  });

  it.each(["'", '. (In ', ' is ', '.a', '(0,a'])(
    'takes time in proportion to the length of many %j',
    (hostile) => {
      const growth = growthOf(500, (size) => {
        engineMessage('TypeError', `can't access property "${hostile.repeat(size)}`.slice(0, size));
        engineMessage('TypeError', `a is not a function. (In '${hostile.repeat(size)}`.slice(0, size));
      });

      expect(growth).toBeLessThan(MAX_GROWTH);
    },
  );
});
