import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { FoldedText } from './folded-text.tsx';

/** Lets each element have a content of this height in a box of 200 px; jsdom has no layout. */
function setContentHeight(height: number): void {
  Object.defineProperty(HTMLElement.prototype, 'scrollHeight', { configurable: true, get: () => height });
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 200 });
}

afterEach(() => {
  Reflect.deleteProperty(HTMLElement.prototype, 'scrollHeight');
  Reflect.deleteProperty(HTMLElement.prototype, 'clientHeight');
});

it('folds a long text until all of it is wanted', async () => {
  const user = userEvent.setup();
  setContentHeight(2_000);
  render(<FoldedText text="a long message" />);

  expect(screen.getByText('a long message')).toHaveClass('folded');
  await user.click(screen.getByRole('button', { name: 'Show all', expanded: false }));

  expect(screen.getByText('a long message')).not.toHaveClass('folded');
  expect(screen.getByRole('button', { name: 'Show less', expanded: true })).toBeInTheDocument();
});

it('has no button for a text that fits', () => {
  setContentHeight(200);

  render(<FoldedText text="a message" />);

  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
