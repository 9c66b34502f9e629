/** Row of the table of engines: an action, its digest, and what V8, Gecko and JSC say, now and in earlier versions. */
export type EngineRow = readonly [string, string, readonly Message[], readonly Message[], readonly Message[]];

/** A class of errors and a message. */
export type Message = readonly [type: string, text: string];

const typeError = (text: string): Message => ['TypeError', text];
const rangeError = (text: string): Message => ['RangeError', text];
const referenceError = (text: string): Message => ['ReferenceError', text];

/** The language itself. */
export const LANGUAGE_MESSAGES: readonly EngineRow[] = [
  [
    'JSON.stringify of a circle',
    'XXQB-ZWT4',
    [
      typeError(
        "Converting circular structure to JSON\n    --> starting at object with constructor 'Object'",
      ),
    ],
    [typeError('cyclic object value')],
    [typeError('JSON.stringify cannot serialize cyclic structures.')],
  ],
  [
    'recursion without end',
    'TVWQ-72DV',
    [rangeError('Maximum call stack size exceeded')],
    [['InternalError', 'too much recursion']],
    [rangeError('Maximum call stack size exceeded.')],
  ],
  [
    'a string too long',
    'PAZ4-H52D',
    [rangeError('Invalid string length')],
    [['InternalError', 'allocation size overflow']],
    [rangeError('Out of memory')],
  ],
  [
    'an invalid length of an array',
    '656J-RAEY',
    [rangeError('Invalid array length')],
    [rangeError('invalid array length')],
    [rangeError('Array length must be a positive integer of safe magnitude.')],
  ],
  [
    'an invalid date',
    '6EX0-YMH0',
    [rangeError('Invalid time value')],
    [rangeError('invalid date')],
    [rangeError('Invalid Date')],
  ],
  [
    'an invalid URI',
    'AEKF-4M0A',
    [['URIError', 'URI malformed']],
    [['URIError', 'malformed URI sequence']],
    [['URIError', 'URI error']],
  ],
  [
    'a revoked proxy',
    '2N2V-FF6S',
    [
      typeError("Cannot perform 'get' on a proxy that has been revoked"),
      typeError("Cannot perform 'set' on a proxy that has been revoked"),
    ],
    [typeError('illegal operation attempted on a revoked proxy')],
    [typeError('Proxy has already been revoked. No more operations are allowed to be performed on it')],
  ],
  [
    'a generator that runs',
    '5R9Z-EN73',
    [typeError('Generator is already running')],
    [typeError('already executing generator')],
    [typeError('Generator is executing')],
  ],
  [
    'an invalid code point',
    'NA7W-YHW2',
    [rangeError('Invalid code point -1')],
    [rangeError('-1 is not a valid code point')],
    [rangeError('Arguments contain a value that is out of range of code points')],
  ],
  [
    'a class called as a function',
    'VYWV-7281',
    [typeError("Class constructor e cannot be invoked without 'new'")],
    [typeError("class constructors must be invoked with 'new'")],
    [
      typeError('Cannot call a class constructor without |new|'),
      typeError('Cannot call a class constructor e without |new|'),
    ],
  ],
  [
    'a private member of another class',
    'YD1E-6F7P',
    [
      typeError('Cannot read private member #e from an object whose class did not declare it'),
      typeError('Cannot write private member #e to an object whose class did not declare it'),
    ],
    [
      typeError("can't access private field or method: object is not the right class"),
      typeError("can't set private field: object is not the right class"),
    ],
    [typeError("Cannot access invalid private field (evaluating 't.#e')")],
  ],
  [
    'reduce of nothing',
    'Q424-0327',
    [typeError('Reduce of empty array with no initial value')],
    [typeError('reduce of empty array with no initial value')],
    [typeError('reduce of empty array with no initial value')],
  ],
  [
    'keys of nothing',
    'RCJS-Z7YP',
    [typeError('Cannot convert undefined or null to object')],
    [typeError("can't convert undefined to object"), typeError("can't convert null to object")],
    [
      typeError('Object.entries requires that input parameter not be null or undefined'),
      typeError("undefined is not an object (evaluating 'Object.keys(t)')"),
      typeError("null is not an object (evaluating 'Object.getPrototypeOf(e.cart)')"),
    ],
  ],
  [
    'a write to what is read-only',
    'MX92-8ST5',
    [
      typeError('Assignment to constant variable.'),
      typeError("Cannot assign to read only property 'id' of object '#<Object>'"),
      typeError('Cannot set property id of #<Object> which has only a getter'),
    ],
    [
      typeError("invalid assignment to const 'total'"),
      typeError('"id" is read-only'),
      typeError('setting getter-only property "id"'),
    ],
    [typeError('Attempted to assign to readonly property.')],
  ],
  [
    'a new property of a frozen object',
    'T627-PMXE',
    [typeError('Cannot add property id, object is not extensible')],
    [
      typeError('can\'t define property "id": Object is not extensible'),
      typeError('can\'t define property "id": t is not extensible'),
    ],
    [typeError('Attempting to define property on object that is not extensible.')],
  ],
  [
    'delete of a frozen property',
    '4GSH-X01D',
    [typeError("Cannot delete property 'id' of #<Object>")],
    [typeError('property "id" is non-configurable and can\'t be deleted')],
    [typeError('Unable to delete property.')],
  ],
  [
    'in',
    '81RG-MMYD',
    [
      typeError("Cannot use 'in' operator to search for 'id' in undefined"),
      typeError("Cannot use 'in' operator to search for 'id' in x"),
    ],
    [
      typeError("right-hand side of 'in' should be an object, got undefined"),
      typeError('cannot use \'in\' operator to search for "id" in "x"'),
    ],
    [
      typeError('undefined is not an Object. (evaluating \'"id" in t\')'),
      typeError('t is not an Object. (evaluating \'"id" in t\')'),
    ],
  ],
  [
    'instanceof',
    'PZY9-VCPW',
    [
      typeError("Right-hand side of 'instanceof' is not callable"),
      typeError("Right-hand side of 'instanceof' is not an object"),
    ],
    [typeError("invalid 'instanceof' operand t")],
    [
      typeError("t is not a function. (evaluating 'e instanceof t')"),
      typeError('Right hand side of instanceof is not an object'),
    ],
  ],
  [
    'a property of undefined',
    'NF5K-F22C',
    [
      typeError("Cannot read properties of undefined (reading 'items')"),
      typeError("Cannot read property 'items' of undefined"),
      typeError("Cannot destructure property 'items' of 't.cart' as it is undefined."),
    ],
    [
      typeError('can\'t access property "items", t.cart is undefined'),
      typeError('can\'t access property "items" of undefined'),
    ],
    [
      typeError("undefined is not an object (evaluating 't.cart.items')"),
      typeError('undefined is not an object (evaluating \'t.cart["items"]\')'),
      typeError('undefined is not an object (evaluating \'t["cart"]["items"]=1\')'),
      typeError("Cannot destructure property 'items' from null or undefined value"),
    ],
  ],
  [
    'a pattern of undefined without names',
    'WXCZ-F3GE',
    [typeError("Cannot destructure 'e' as it is undefined.")],
    [typeError('e is undefined'), typeError('(destructured parameter) is undefined')],
    [
      typeError('Cannot destructure null or undefined value'),
      typeError('Right side of assignment cannot be destructured'),
    ],
  ],
  [
    'a list that is none',
    '8K51-XHG3',
    [
      typeError('e is not iterable'),
      typeError('e is not iterable (cannot read property undefined)'),
      typeError('Found non-callable @@iterator'),
    ],
    [typeError('t is not iterable')],
    [
      typeError("undefined is not an object (evaluating 'x of e')"),
      typeError("undefined is not a function (near '...x of e...')"),
      typeError('Spread syntax requires ...iterable[Symbol.iterator] to be a function'),
      typeError("undefined is not an object (evaluating 'e')"),
      typeError("null is not an object (evaluating 'e')"),
      typeError('number is not iterable'),
      typeError('{} is not iterable'),
    ],
  ],
  [
    'a pattern of a list that is none',
    '5CVV-J7PT',
    [typeError('undefined is not iterable (cannot read property Symbol(Symbol.iterator))')],
    [typeError('undefined is not iterable')],
    [typeError("undefined is not a function (near '...[e, t]...')")],
  ],
  [
    'a result that is no list',
    'VZSK-SSD8',
    [typeError('useCart is not a function or its return value is not iterable')],
    [typeError('useCart(...) is not iterable'), typeError('useCart() is not iterable')],
    [
      typeError("undefined is not an object (evaluating 'x of useCart')"),
      typeError('undefined is not an object (evaluating \'useCart(e, "a")\')'),
    ],
  ],
  [
    'a method that is none',
    'C0PZ-K00J',
    [typeError('t.cart.total is not a function')],
    [typeError('e.total is not a function')],
    [
      typeError("e.total is not a function. (In 'e.total(n)', 'e.total' is undefined)"),
      typeError("undefined is not a function (near '...e.total...')"),
    ],
  ],
  [
    'a callback that is none',
    'XT45-3F8Z',
    [typeError('undefined is not a function')],
    [typeError('undefined is not a function')],
    [typeError('Array.prototype.map callback must be a function')],
  ],
  [
    'a class that is none',
    'ZXVQ-D8TH',
    [typeError('t.Cart is not a constructor')],
    [typeError('e.Cart is not a constructor')],
    [
      typeError("undefined is not a constructor (evaluating 'new t.Cart')"),
      typeError("undefined is not a constructor (evaluating 'new e.Cart(n)')"),
    ],
  ],
  [
    'a variable before its declaration',
    '8ZZG-1G3B',
    [referenceError("Cannot access 'e' before initialization")],
    [referenceError("can't access lexical declaration 'r' before initialization")],
    [
      referenceError("Cannot access 'n' before initialization."),
      referenceError('Cannot access uninitialized variable.'),
    ],
  ],
  [
    'a variable that is not there',
    'MMDH-EDJ5',
    [referenceError('analytics is not defined')],
    [
      referenceError('analytics is not defined'),
      referenceError('assignment to undeclared variable analytics'),
    ],
    [
      referenceError("Can't find variable: analytics"),
      referenceError("Strict mode forbids implicit creation of global property 'analytics'"),
    ],
  ],
];
