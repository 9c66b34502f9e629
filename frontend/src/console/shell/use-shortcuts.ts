import { useEffect, useRef, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import { DELIVERY_PATH, FIND_PATH, ISSUES_PATH, LIVE_PATH } from '../shared/paths.ts';

/** Longest time between `g` and the second key, ms. */
const PAIR_MS = 1_500;
const PLACES: Readonly<Record<string, string>> = {
  f: FIND_PATH,
  i: ISSUES_PATH,
  l: LIVE_PATH,
  d: DELIVERY_PATH,
};

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target.matches('textarea, select, [contenteditable]');
}

/** Returns whether a key belongs to a text box, a browser command or an open dialog. */
function isTaken(event: KeyboardEvent): boolean {
  const isCommand = event.ctrlKey || event.metaKey || event.altKey;
  const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
  return isCommand || isInDialog || event.defaultPrevented || event.isComposing || isTyping(event.target);
}

/** Moves the focus through the rows of the page; Enter is handled by the browser. */
function step(frame: HTMLElement, by: 1 | -1): void {
  const rows = Array.from(frame.querySelectorAll<HTMLElement>('[data-row]'));
  // A checkbox or a second link of the row counts as the row.
  const at = rows.findIndex((row) =>
    (row.closest('li, tr') ?? row).contains(row.ownerDocument.activeElement),
  );
  const next = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by));
  rows[next]?.focus();
}

interface Shortcuts {
  readonly isOn: boolean;
  readonly onHelp: () => Promise<void>;
}

/**
 * Installs single-key shortcuts, as in mail and code tools. They can be turned off (WCAG 2.1.4), since dictation
 * software types letters too. Tab and Enter reach everything as well.
 */
export function useShortcuts(frame: RefObject<HTMLElement | null>, { isOn, onHelp }: Shortcuts): void {
  const navigate = useNavigate();
  const wentAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const act = (event: KeyboardEvent, page: HTMLElement): boolean => {
      const isSecond = event.timeStamp - wentAt.current < PAIR_MS;
      wentAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const place = isSecond ? PLACES[event.key] : undefined;
      if (place !== undefined) void navigate(place);
      else if (event.key === '/') page.querySelector<HTMLElement>('[data-find]')?.focus();
      else if (event.key === 'j') step(page, 1);
      else if (event.key === 'k') step(page, -1);
      else if (event.key === '?') void onHelp();
      else return false;
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      if (frame.current === null || isTaken(event)) return;
      if (act(event, frame.current)) event.preventDefault();
    };
    if (!isOn) return undefined;
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [frame, isOn, onHelp, navigate]);
}
