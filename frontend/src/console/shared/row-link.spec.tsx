import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router';
import { RowLink } from './row-link.tsx';

function State() {
  return <output>{JSON.stringify(useLocation().state)}</output>;
}

/** Shows a box and two rows at an entry of the history, as after a reload; the rows come later than the box. */
function openAt(state: unknown) {
  const page = (rows: readonly string[]) => (
    <MemoryRouter initialEntries={[{ pathname: '/list', state }]}>
      <input />
      {rows.map((row) => (
        <RowLink key={row} to={row}>
          {row}
        </RowLink>
      ))}
      <State />
    </MemoryRouter>
  );
  const { rerender } = render(page([]));
  return { load: () => rerender(page(['/one', '/two'])) };
}

it('has the focus again when its list comes after a reload', () => {
  const { load } = openAt({ row: '/two', cursors: [null] });

  load();

  expect(screen.getByRole('link', { name: '/two' })).toHaveFocus();
});

it('takes no focus from a box in which the user types', () => {
  const { load } = openAt({ row: '/two' });
  screen.getByRole('textbox').focus();

  load();

  expect(screen.getByRole('textbox')).toHaveFocus();
});

it('is kept in its entry of the history, beside what that holds', () => {
  const { load } = openAt({ cursors: [null] });
  load();

  // The browser opens this one in another tab: the entry stays the current one.
  fireEvent.click(screen.getByRole('link', { name: '/one' }), { ctrlKey: true });

  expect(screen.getByText('{"cursors":[null],"row":"/one"}')).toBeInTheDocument();
});
