import type { Erasure } from '@errata/backend/contract/erasure-api.ts';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { TextBox } from '../../ui/form/text-box.tsx';
import { erasureLabel } from './erasure-choice.ts';

interface EraseDialogProps {
  readonly erasure: Erasure;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Must be typed to confirm, so that no click erases by mistake. */
const WORD = 'erase';

export function EraseDialog({ erasure, isBusy, onConfirm, onCancel }: EraseDialogProps) {
  const [typed, setTyped] = useState('');
  return (
    <ConfirmDialog
      title="Erase permanently?"
      action="Erase permanently"
      canConfirm={typed.trim().toLowerCase() === WORD}
      isBusy={isBusy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>
        This deletes <strong>{erasureLabel(erasure)}</strong>. This cannot be undone. The audit log records
        it.
      </p>
      <TextBox label={`Type “${WORD}” to confirm`} value={typed} onChange={setTyped} />
    </ConfirmDialog>
  );
}
