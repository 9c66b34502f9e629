import { useCallback, useState, type RefObject } from 'react';
import { Button } from '../../ui/form/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { keepChoice, readChoice } from '../../ui/stored-choice.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const NAME = 'shortcuts';

/** The help's button, and the keys it explains; `frame` is where they find their places. */
export function ShortcutHelp({ frame }: { readonly frame: RefObject<HTMLElement | null> }) {
  const [isOn, setIsOn] = useState(() => readChoice(window, NAME) !== 'off');
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback(() => setIsOpen(true), []);
  useShortcuts(frame, { isOn, onHelp: open });

  const switchKeys = (on: boolean) => {
    keepChoice(window, NAME, on ? null : 'off');
    setIsOn(on);
  };

  return (
    <>
      <Button look="quiet" onClick={open}>
        <Icon name="help" />
        <VisuallyHidden>Help</VisuallyHidden>
      </Button>
      {isOpen && <HelpDialog isOn={isOn} onSwitch={switchKeys} onClose={() => setIsOpen(false)} />}
    </>
  );
}
