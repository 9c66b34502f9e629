import { render, screen } from '@testing-library/react';
import { recordConsole } from './errors/recorded-console.fixture.ts';
import { ErrorPage, reportError, startReporting } from './react-package.tsx';

/** Records the calls of console.warn instead of printing them. */
function recordWarnings(): readonly unknown[] {
  const warnings: unknown[] = [];
  console.warn = (warning: unknown) => {
    warnings.push(warning);
  };
  return warnings;
}

it('warns once of a start without a DSN that reports nothing, and prints no reference', () => {
  const printed = recordConsole();
  const warnings = recordWarnings();
  const error = new Error('failed');

  startReporting();
  startReporting({ dsn: 'undefined' });
  reportError(error);

  expect(warnings).toEqual([expect.stringMatching(/^errata-react: nothing is reported\..*DSN/)]);
  expect(printed).toEqual([['Application error\n', error]]);
});

it('shows no reference where nothing is sent', async () => {
  recordConsole();
  recordWarnings();
  startReporting();

  const { container } = render(<ErrorPage help={{}} error={new Error('failed')} />);

  await screen.findByRole('button', { name: 'Try again' });
  expect(container).toHaveTextContent(/information\)\.Try again Home$/);
});

it('does not warn of a start with a DSN', () => {
  const warnings = recordWarnings();

  startReporting({ dsn: 'https://key@errata.example/1' });

  expect(warnings).toEqual([]);
});
