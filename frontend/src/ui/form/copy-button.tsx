import { useEffect, useState } from 'react';
import { Icon, type IconName } from '../icon.tsx';
import { VisuallyHidden } from '../visually-hidden.tsx';
import type { ButtonLook } from './button-class.ts';
import { Button } from './button.tsx';
import styles from './form.module.css';

/** Long enough to read, short enough to copy again. */
const SHOWN_MS = 2_000;

type CopyState = 'idle' | 'copied' | 'failed';
const LABELS: Readonly<Record<CopyState, string>> = {
  idle: 'Copy',
  copied: 'Copied',
  failed: 'Could not copy',
};

interface CopyButtonProps {
  /** A function where the text is expensive to create. */
  readonly text: string | (() => string);
  /** Object of the action: "digest". */
  readonly what: string;
  /** `icon`: the icon alone; `short`: "Copy"; `full`: "Copy digest". */
  readonly label?: 'icon' | 'short' | 'full';
  readonly look?: ButtonLook;
  readonly icon?: IconName;
}

export function CopyButton({ text, what, label = 'short', look = 'quiet', icon = 'copy' }: CopyButtonProps) {
  const [state, setState] = useState<CopyState>('idle');

  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setState('copied');
    } catch {
      setState('failed');
    }
  };

  const isWhole = label === 'full' && state === 'idle';
  return (
    <>
      <Button look={look} onClick={() => void copy()}>
        <Icon name={state === 'copied' ? 'done' : icon} />
        {label === 'icon' ? <VisuallyHidden>{LABELS[state]}</VisuallyHidden> : LABELS[state]}
        {isWhole ? ` ${what}` : <VisuallyHidden> {what}</VisuallyHidden>}
      </Button>
      <output className={styles.said}>{state === 'idle' ? '' : `${LABELS[state]}: ${what}`}</output>
    </>
  );
}
