import { type ComponentProps, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Link } from '../../ui/link.tsx';

/**
 * A link of a row, to which `j` and `k` step. The entry of the history keeps which row was opened: that one has the
 * focus again when the user comes back, also after a reload.
 */
export function RowLink(props: ComponentProps<typeof Link>) {
  const location = useLocation();
  const navigate = useNavigate();
  const isOpened = location.state?.row === props.to;
  const link = useRef<HTMLAnchorElement>(null);

  useEffect(() => {
    // The list may come late: the user may type into a box by then.
    if (isOpened && document.activeElement?.contains(link.current) === true) link.current?.focus();
  }, [isOpened]);

  const keepRow = () => {
    void navigate(location, { replace: true, state: { ...location.state, row: props.to } });
  };
  // Before the link itself, which adds an entry.
  return <Link {...props} ref={link} onClickCapture={keepRow} data-row />;
}
