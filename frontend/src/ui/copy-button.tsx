import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

/** Long enough to be read, short enough to copy again. */
const SHOWN_MS = 2_000;

type CopyState = 'idle' | 'copied' | 'failed';
const WORDS: Readonly<Record<CopyState, string>> = {
  idle: 'Copy',
  copied: 'Copied',
  failed: 'Could not copy',
};

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for a screen reader: "Copy digest". */
  readonly what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [state, setState] = useState<CopyState>('idle');

  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('failed');
    }
  };

  return (
    <>
      <Button look="quiet" onClick={() => void copy()}>
        <Icon name={state === 'copied' ? 'done' : 'copy'} />
        {WORDS[state]}
        <VisuallyHidden> {what}</VisuallyHidden>
      </Button>
      <output>
        <VisuallyHidden>{state === 'idle' ? '' : `${WORDS[state]}: ${what}`}</VisuallyHidden>
      </output>
    </>
  );
}
