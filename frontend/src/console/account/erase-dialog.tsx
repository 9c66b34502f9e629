import type { Erasure, ErasureMatches } from '@errata/backend/contract/erasure-api.ts';
import { projectName } from '@errata/backend/contract/project-name.ts';
import { useState } from 'react';
import { useErasureMatches } from '../../api/access.ts';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { TextBox } from '../../ui/form/text-box.tsx';
import { errorText } from '../shared/error-text.ts';
import { erasureLabel, itemsText } from './erasure-choice.ts';
import styles from './erase-form.module.css';

interface ProjectChoiceProps {
  readonly projects: ErasureMatches['projects'];
  /** Null for all projects. */
  readonly chosen: string | null;
  readonly onChoose: (project: string | null) => void;
}

/** Lists the projects with matching data, and selects one of them or all. */
function ProjectChoice({ projects, chosen, onChoose }: ProjectChoiceProps) {
  const choices = [
    { project: null, label: 'All projects' },
    ...projects.map(({ project, ...items }) => ({
      project,
      label: `${projectName(project)}: ${itemsText(items)}`,
    })),
  ];
  return (
    <fieldset className={styles.kinds}>
      <legend className={styles.legend}>Erase in</legend>
      {choices.map(({ project, label }) => (
        <label key={project} className={styles.kind}>
          <input
            type="radio"
            name="project"
            checked={project === chosen}
            onChange={() => onChoose(project)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

interface EraseDialogProps {
  readonly erasure: Erasure;
  readonly isBusy: boolean;
  readonly onConfirm: (erasure: Erasure) => void;
  readonly onCancel: () => void;
}

/** Must be typed to confirm, so that no click erases by mistake. */
const WORD = 'erase';

/** Shows which projects an erasure matches, and asks in which of them to erase. */
export function EraseDialog({ erasure, isBusy, onConfirm, onCancel }: EraseDialogProps) {
  const [typed, setTyped] = useState('');
  const [project, setProject] = useState<string | null>(null);
  const { data, error, isPending } = useErasureMatches(erasure);
  return (
    <ConfirmDialog
      title="Erase permanently?"
      action="Erase permanently"
      canConfirm={typed.trim().toLowerCase() === WORD && !isPending}
      isBusy={isBusy}
      onConfirm={() => onConfirm(project === null ? erasure : { ...erasure, project })}
      onCancel={onCancel}
    >
      <p>
        This deletes <strong>{erasureLabel(erasure)}</strong>. This cannot be undone. The audit log records
        it.
      </p>
      <output>
        {isPending && 'Searching for matching data…'}
        {error !== null && errorText(error)}
        {data?.projects.length === 0 && 'No data matches now. Matching data in transit is erased, too.'}
      </output>
      {data !== undefined && data.projects.length > 0 && (
        <ProjectChoice projects={data.projects} chosen={project} onChoose={setProject} />
      )}
      <TextBox label={`Type “${WORD}” to confirm`} value={typed} onChange={setTyped} />
    </ConfirmDialog>
  );
}
