import { render, screen } from '@testing-library/react';
import { WebLink } from './web-link.tsx';

it.each(['https://shop.example/checkout', 'http://10.0.0.7:8080/'])('leads to %s', (url) => {
  render(<WebLink url={url} />);

  expect(screen.getByRole('link', { name: url })).toHaveAttribute('href', url);
});

it.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  '/checkout',
  'file:///etc/passwd',
  '',
])('shows "%s" as words', (url) => {
  const { container } = render(<WebLink url={url} />);

  expect(container.querySelector('a')).toBeNull();
  expect(container.textContent).toBe(url);
});
