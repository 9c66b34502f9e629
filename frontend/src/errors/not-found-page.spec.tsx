import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { MissingPage } from './missing-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';

it('says 404 and the sentence, and nothing else', () => {
  render(<NotFoundPage />);

  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('404');
  expect(screen.getByRole('main').textContent).toBe('404This page could not be found.');
  expect(screen.getByRole('main')).toHaveAttribute('dir', 'ltr');
});

it('has no accessibility violation', async () => {
  const { container } = render(<NotFoundPage />);

  expect(await axe(container)).toHaveNoViolations();
});

it('tells crawlers and the tab inside the client, where the status is 200', () => {
  render(<MissingPage />);

  expect(document.head.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
  expect(document.title).toBe('404: This page could not be found.');
});

it.each([
  ['Forbidden', '403Forbidden', '403: Forbidden'],
  ['', '403', '403'],
])('shows another status with its text %p', (statusText, text, title) => {
  render(<MissingPage status={403} statusText={statusText} />);

  expect(screen.getByRole('main').textContent).toBe(text);
  expect(document.title).toBe(title);
});
