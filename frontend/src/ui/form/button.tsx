import type { ReactNode } from 'react';
import { buttonClass, type ButtonLook } from './button-class.ts';

interface ButtonProps {
  readonly look?: ButtonLook;
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  /** Id of what it shows and hides, and whether that is in sight. */
  readonly expands?: string;
  readonly isExpanded?: boolean;
  /** Whether it stands for its row where rows are stepped through by keys. */
  readonly isRow?: boolean;
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

export function Button({
  look = 'plain',
  type = 'button',
  disabled = false,
  expands,
  isExpanded,
  isRow = false,
  onClick,
  children,
}: ButtonProps) {
  return (
    // A submitting button is named as one at the call.
    <button
      className={buttonClass(look)}
      type={type}
      disabled={disabled}
      aria-controls={expands}
      aria-expanded={isExpanded}
      data-row={isRow || undefined}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
