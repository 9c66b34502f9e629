/**
 * Every way a function can be named or nameless in a V8 stack. source-maps.spec.ts compiles this file with the
 * installed tsc into temporary directories and runs it there; nothing imports it.
 */
interface Item {
  readonly name: string;
}

const computed: string = 'computedName';

function fail(what: string): never {
  throw new Error(`${what} failed for order ${Math.random()}`);
}

class Shop {
  static create(): Shop {
    throw new TypeError('static method');
  }

  static get shared(): Shop {
    throw new Error('static getter');
  }

  static #secret(): never {
    throw new Error('static private method');
  }

  readonly detached = (): never => {
    throw new Error('arrow in a field');
  };

  readonly #items: Item[] = [];

  constructor(isBroken: boolean) {
    if (isBroken) throw new Error('constructor');
  }

  get total(): number {
    throw new Error('getter');
  }

  set total(_value: number) {
    throw new Error('setter');
  }

  find(name: string): Item {
    const found = this.#items.find((item) => item.name === name);
    if (found === undefined) throw new RangeError(`no item ${name}`);
    return found;
  }

  callSecret(): never {
    return Shop.#secret();
  }

  [computed](): never {
    return fail('computed name');
  }

  'with space.and dot'(): never {
    return fail('odd name');
  }

  *[Symbol.iterator](): Generator<number> {
    yield 1;
    throw new Error('iterator');
  }

  async *pages(): AsyncGenerator<number> {
    yield 1;
    await Promise.resolve();
    throw new Error('async generator');
  }

  async later(): Promise<never> {
    await Promise.resolve();
    throw new Error('async method after an await');
  }

  async load(isSlow: boolean): Promise<never> {
    if (isSlow) await Promise.resolve();
    throw new Error('stock is empty', { cause: new Error('no connection to 10.0.0.7:5432') });
  }

  async loadAll(isSlow: boolean): Promise<readonly never[]> {
    return await Promise.all([1].map(async () => await this.load(isSlow)));
  }

  nested(): void {
    [1].forEach(() => {
      const inner = (): never => fail('nested closure');
      inner();
    });
  }
}

class SubShop extends Shop {
  constructor() {
    super(true);
  }
}

class Inheriting extends Shop {
  readonly started = fail('field initialiser');
}

const outer = (): never => {
  function inner(): never {
    return fail('function in a function');
  }
  return inner();
};
const literal = { alias: outer, deep: { run: (): never => fail('arrow in a literal') } };
const returned = () => (): never => fail('returned arrow');
const listeners = [
  function () {
    fail('function in a list');
  },
];

export const faults: Readonly<Record<string, () => unknown>> = {
  constructor_: () => new Shop(true),
  superConstructor: () => new SubShop(),
  fieldInitialiser: () => new Inheriting(false),
  staticMethod: () => Shop.create(),
  staticGetter: () => Shop.shared,
  staticBlock: () =>
    class {
      static {
        fail('static block');
      }
    },
  method: () => new Shop(false).find('7KQ4'),
  getter: () => new Shop(false).total,
  setter: () => {
    new Shop(false).total = 1;
  },
  fieldArrow: () => new Shop(false).detached(),
  detachedArrow: () => {
    const { detached } = new Shop(false);
    detached();
  },
  privateMethod: () => new Shop(false).callSecret(),
  computedName: () => Reflect.apply(Reflect.get(Shop.prototype, computed), new Shop(false), []),
  oddName: () => new Shop(false)['with space.and dot'](),
  iterator: () => [...new Shop(false)],
  asyncGenerator: async () => {
    for await (const page of new Shop(false).pages()) void page;
  },
  asyncMethod: async () => await new Shop(false).later(),
  closures: () => new Shop(false).nested(),
  alias: () => literal.alias(),
  literalArrow: () => literal.deep.run(),
  returnedArrow: () => returned()(),
  listed: () => listeners.at(0)?.(),
  // oxlint-disable-next-line no-eval -- frames of evaluated code are what this one is for
  evaluated: () => (0, eval)('(f) => f("evaluated code")')(fail),
  boundThis: () =>
    function (this: unknown) {
      fail('borrowed this');
    }.call(new Map()),
  executor: async () => await new Promise(() => fail('promise executor')),
  continuation: async () => await Promise.resolve().then(() => fail('then callback')),
  timer: async () =>
    await new Promise((_, reject) =>
      setTimeout(() => {
        try {
          outer();
        } catch (error) {
          reject(error);
        }
      }, 1),
    ),
  nativeCallback: () => ['{'].map((text) => JSON.parse(text)),
  destructured: () => {
    const { name } = JSON.parse('null');
    return name;
  },
  beforeAwait: async () => await new Shop(false).loadAll(false),
};

export const afterAwait = async (): Promise<unknown> => {
  const again = { beforeAwait: async () => await new Shop(false).loadAll(true) };
  return await again.beforeAwait();
};
