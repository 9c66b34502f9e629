import type { ReactNode } from 'react';
import { buttonClass, type ButtonLook } from './button-class.ts';

interface ButtonProps {
  readonly look?: ButtonLook;
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  /** ID of the element that it shows and hides. */
  readonly expands?: string;
  readonly isExpanded?: boolean;
  /** Whether it represents its row for the keyboard shortcuts. */
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
    // A submit button sets its type at the call.
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
