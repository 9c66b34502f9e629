import { useState } from 'react';
import { Menu } from '../../ui/form/menu.tsx';
import { Icon } from '../../ui/icon.tsx';
import { chooseTheme, readTheme, type Theme, THEMES } from '../../ui/theme.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import styles from './menus.module.css';

const LABELS: Readonly<Record<Theme, string>> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
};

export function ThemeMenu() {
  const [theme, setTheme] = useState(() => readTheme(window));

  const choose = (chosen: Theme) => {
    chooseTheme(window, chosen);
    setTheme(chosen);
  };

  return (
    <Menu
      button={
        <>
          <Icon name={theme} />
          <VisuallyHidden>Theme</VisuallyHidden>
        </>
      }
    >
      <fieldset className={styles.themes}>
        <legend className={styles.title}>Theme</legend>
        {THEMES.map((name) => (
          <label key={name} className={styles.theme}>
            <input
              type="radio"
              name="theme"
              value={name}
              checked={theme === name}
              onChange={() => choose(name)}
            />
            <Icon name={name} />
            {LABELS[name]}
          </label>
        ))}
      </fieldset>
    </Menu>
  );
}
