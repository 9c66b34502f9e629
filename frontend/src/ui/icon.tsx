import styles from './inline.module.css';

export type IconName =
  | 'browser'
  | 'server'
  | 'copy'
  | 'done'
  | 'search'
  | 'closed'
  | 'alert'
  | 'empty'
  | 'link'
  | 'down'
  | 'open'
  | 'muted'
  | 'back'
  | 'waiting'
  | 'person'
  | 'help'
  | 'system'
  | 'light'
  | 'dark'
  | 'offline'
  | 'save'
  | 'feedback'
  | 'cross'
  | 'up'
  | 'pause'
  | 'play'
  | 'live';

/** Strokes on a grid of 16, in the colour of the text beside them. */
const SHAPES: Readonly<Record<IconName, string>> = {
  browser:
    'M2 4.5a1.5 1.5 0 0 1 1.5-1.5h9A1.5 1.5 0 0 1 14 4.5v7a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 11.5zM2 6.5h12',
  server:
    'M2.5 4A1.5 1.5 0 0 1 4 2.5h8A1.5 1.5 0 0 1 13.5 4v1.5A1.5 1.5 0 0 1 12 7H4a1.5 1.5 0 0 1-1.5-1.5zM2.5 10.5A1.5 1.5 0 0 1 4 9h8a1.5 1.5 0 0 1 1.5 1.5V12a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 12zM5 4.75h.01M5 11.25h.01',
  copy: 'M6 6h6.5v7.5H6zM9.5 6V2.5H3V10h3',
  done: 'm3.5 8.5 3 3 6-7',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
  closed: 'M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3.5 7h9v6.5h-9z',
  alert: 'M8 2.5 14.5 13.5h-13zM8 6.5v3M8 11.5v.01',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 0 0-3.7-3.7L8.2 4.1M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.8-.8',
  down: 'm4 6 4 4 4-4',
  open: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 8.01V8',
  muted: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4',
  back: 'M3 8a5 5 0 1 1 1.6 3.7M3 12.5V9h3.5',
  waiting: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  person: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8zM2.8 13.5a5.2 5.2 0 0 1 10.4 0',
  help: 'M5.7 6a2.3 2.3 0 1 1 3.4 2c-.8.4-1.1.9-1.1 1.7M8 12.4v.01',
  system: 'M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13',
  light:
    'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.8v1M8 13.2v1M1.8 8h1M13.2 8h1M3.6 3.6l.7.7M11.7 11.7l.7.7M3.6 12.4l.7-.7M11.7 4.3l.7-.7',
  dark: 'M13.3 9.6A5.7 5.7 0 0 1 6.4 2.7a5.7 5.7 0 1 0 6.9 6.9z',
  offline:
    'M2 6.2a8.6 8.6 0 0 1 3-1.9M7.6 3.6A8.7 8.7 0 0 1 14 6.2M4.3 8.7A5.3 5.3 0 0 1 6.6 7.3M9.6 7.4c.8.3 1.5.7 2.1 1.3M8 12v.01M2.5 2.5l11 11',
  save: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10',
  feedback: 'M2.5 3.5h11v7.5H8l-3 2.5V11H2.5z',
  cross: 'm4 4 8 8M12 4l-8 8',
  up: 'M8 13V3.5M4 7.5l4-4 4 4',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2v9.6L12.5 8z',
  live: 'M8 8v.01M5.2 10.8a4 4 0 0 1 0-5.6M10.8 5.2a4 4 0 0 1 0 5.6M3.2 12.8a6.8 6.8 0 0 1 0-9.6M12.8 3.2a6.8 6.8 0 0 1 0 9.6',
  empty: 'M2.5 9.5 4.5 3h7l2 6.5v3.5h-11zM2.5 9.5H6l.7 1.5h2.6l.7-1.5h3.5',
};

/** An icon beside text, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
