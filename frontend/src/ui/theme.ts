import { readStored, writeStored } from './storage.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const NAME = 'theme';

export function readTheme(page: Window): Theme {
  const kept = readStored(page, 'localStorage', NAME);
  return THEMES.find((theme) => theme === kept) ?? 'system';
}

/** Sets the theme; base.css turns the attribute into a `color-scheme`, which every colour of tokens.css follows. */
function show({ document }: Window, theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Applies the stored theme before the first paint, so that no other colours flash. */
export function applyStoredTheme(page: Window): void {
  show(page, readTheme(page));
}

export function chooseTheme(page: Window, theme: Theme): void {
  writeStored(page, 'localStorage', NAME, theme === 'system' ? null : theme);
  show(page, theme);
}
