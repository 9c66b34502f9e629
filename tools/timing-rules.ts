/**
 * Lint rules that refuse what makes the verdict of a test depend on the load of the machine. `.oxlintrc.json` has the
 * selectors of each (https://github.com/estools/esquery); CONTRIBUTING.md says what to write in their place.
 */
const MESSAGES = {
  clock: 'compares or measures the time that passed: assert counts and order, or inject the clock',
  sleep: 'sleeps: wait for a condition, or inject the timer',
  limit: 'a time limit below 60 s, in which a busy machine may not be done',
  port: 'a free port can be taken before it is used: listen on 0',
};

interface Context {
  readonly options: readonly string[];
  report(fault: { readonly node: unknown; readonly message: string }): void;
}

const ruleOf = (message: string) => ({
  meta: { schema: false },
  create: (context: Context) =>
    Object.fromEntries(
      context.options.map((selector) => [selector, (node: unknown) => context.report({ node, message })]),
    ),
});

export default {
  meta: { name: 'timing' },
  rules: Object.fromEntries(Object.entries(MESSAGES).map(([name, message]) => [name, ruleOf(message)])),
};
