import { isTestError, testMessage, WAYS } from './ways.ts';

const VALUES = {
  browserDsn: 'https://0123abcd@errata.invalid/1',
  serverDsn: 'https://89ab@errata.example/1',
  tunnel: '/tunnel',
};

const codeOf = (id: string): string => WAYS.find((way) => way.id === id)?.code(VALUES) ?? '';

it.each(WAYS)('$name: has the values of its project and sends the test error of its name', (way) => {
  const code = way.code(VALUES);

  expect(code).toContain(`Test error: ${way.name}`);
  expect(code.includes('89ab')).toBe(way.needsServerKey);
  expect(code.includes('0123abcd')).toBe(!way.needsServerKey);
});

it.each(WAYS)(
  '$name: recognises its own test error only, by the title of an exception or of a message',
  (way) => {
    const others = WAYS.filter((other) => other !== way);

    expect([isTestError(way, testMessage(way)), isTestError(way, `Error: ${testMessage(way)}`)]).toEqual([
      true,
      true,
    ]);
    expect(others.filter((other) => isTestError(other, `Error: ${testMessage(way)}`))).toEqual([]);
  },
);

/**
 * The languages that no test runs: each statement is one of the SDK's documentation. e2e/setup.e2e.ts runs the code of all
 * other ways.
 */
it.each([
  [
    'java',
    'https://docs.sentry.io/platforms/java/usage/',
    [
      'import io.sentry.Sentry;',
      'public class App {',
      'public static void main(String[] args) {',
      'Sentry.init(options -> {',
      `options.setDsn("${VALUES.serverDsn}");`,
      '});',
      'Sentry.captureException(',
    ],
  ],
  [
    'go',
    'https://docs.sentry.io/platforms/go/usage/',
    [
      'package main',
      '"github.com/getsentry/sentry-go"',
      'func main() {',
      'err := sentry.Init(sentry.ClientOptions{',
      `Dsn: "${VALUES.serverDsn}",`,
      '})',
      'defer sentry.Flush(2 * time.Second)',
      'sentry.CaptureException(',
    ],
  ],
  [
    'php',
    'https://docs.sentry.io/platforms/php/',
    [
      '<?php',
      "require 'vendor/autoload.php';",
      `\\Sentry\\init(['dsn' => '${VALUES.serverDsn}']);`,
      '\\Sentry\\captureException(',
    ],
  ],
  [
    'ruby',
    'https://docs.sentry.io/platforms/ruby/',
    [
      "require 'sentry-ruby'",
      'Sentry.init do |config|',
      `config.dsn = '${VALUES.serverDsn}'`,
      'end',
      'Sentry.capture_exception(',
    ],
  ],
  [
    'dotnet',
    'https://docs.sentry.io/platforms/dotnet/',
    [
      'using Sentry;',
      'SentrySdk.Init(options =>',
      '{',
      `options.Dsn = "${VALUES.serverDsn}";`,
      '});',
      'SentrySdk.CaptureException(',
    ],
  ],
])('%s: has the statements of %s, in order', (id, _, statements) => {
  const code = codeOf(id);

  let at = 0;
  for (const statement of statements) {
    at = code.indexOf(statement, at);
    expect([statement, at >= 0]).toEqual([statement, true]);
    at += statement.length;
  }
});
