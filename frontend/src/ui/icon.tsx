import styles from './icon.module.css';

export type IconName = 'browser' | 'server' | 'copy' | 'done' | 'search' | 'closed' | 'alert' | 'empty';

/** Drawn on a grid of 16; strokes, so that they take the colour of the text beside them. */
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
  empty: 'M2.5 9.5 4.5 3h7l2 6.5v3.5h-11zM2.5 9.5H6l.7 1.5h2.6l.7-1.5h3.5',
};

/** Always beside a word, so hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
