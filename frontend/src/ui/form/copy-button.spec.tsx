import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { CopyButton } from './copy-button.tsx';

/** Sets the clipboard, after user-event has installed its own. */
function setClipboard(clipboard: Pick<Clipboard, 'writeText'> | undefined) {
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
}

it('copies, and says so to everybody', async () => {
  const user = userEvent.setup();
  const copied: string[] = [];
  setClipboard({ writeText: async (text) => void copied.push(text) });
  render(<CopyButton text="7KQ4-M2XD" what="digest" />);

  await user.click(screen.getByRole('button', { name: 'Copy digest' }));

  expect(copied).toEqual(['7KQ4-M2XD']);
  expect(screen.getByRole('status')).toHaveTextContent('Copied: digest');
});

it('says when it could not copy', async () => {
  const user = userEvent.setup();
  setClipboard(undefined);
  render(<CopyButton text="7KQ4-M2XD" what="digest" />);

  await user.click(screen.getByRole('button', { name: 'Copy digest' }));

  expect(screen.getByRole('status')).toHaveTextContent('Could not copy: digest');
});
