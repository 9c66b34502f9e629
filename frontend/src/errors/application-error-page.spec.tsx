import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { ApplicationErrorPage } from './application-error-page.tsx';

it('says exactly one sentence when the browser failed', () => {
  const { container } = render(<ApplicationErrorPage failure={{ kind: 'client' }} />);

  expect(container).toHaveTextContent(
    /^Application error: a client-side exception has occurred \(see the browser console for more information\)\.$/,
  );
});

it('says the sentence and the digest when the server failed', () => {
  render(<ApplicationErrorPage failure={{ kind: 'server', digest: '7KQ4-M2XD' }} />);

  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    'Application error: a server-side exception has occurred (see the server logs for more information).',
  );
  expect(screen.getByRole('paragraph').textContent).toBe('Digest: 7KQ4-M2XD');
});

it('is announced when it is put into a living page', () => {
  render(<ApplicationErrorPage failure={{ kind: 'client' }} inserted />);

  expect(screen.getByRole('alert')).toHaveTextContent('Application error');
});

it('is no alert when it is the page that was loaded', () => {
  render(<ApplicationErrorPage failure={{ kind: 'client' }} />);

  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it.each([
  ['client', <ApplicationErrorPage key="client" failure={{ kind: 'client' }} inserted />],
  ['server', <ApplicationErrorPage key="server" failure={{ kind: 'server', digest: '7KQ4-M2XD' }} />],
])('has no accessibility violation (%s)', async (_kind, page) => {
  const { container } = render(page);

  expect(await axe(container)).toHaveNoViolations();
  expect(screen.getAllByRole('main')).toHaveLength(1);
});
