import type { ReactNode } from 'react';
import { buttonClass, type ButtonLook } from './button-class.ts';

interface ButtonProps {
  readonly look?: ButtonLook;
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

export function Button({
  look = 'plain',
  type = 'button',
  disabled = false,
  onClick,
  children,
}: ButtonProps) {
  return (
    // A submitting button is named as one at the call.
    <button className={buttonClass(look)} type={type} disabled={disabled} onClick={onClick}>
      {children}
    </button>
  );
}
