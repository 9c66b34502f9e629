import { Link } from 'react-router';
import { counted } from '../../ui/format/count.ts';
import styles from './live-row-line.module.css';
import { ISSUES_PATH } from '../shared/paths.ts';

/** More came than is shown one by one: said, not hidden. */
export function LiveGapLine({ events }: { readonly events: number | null }) {
  return (
    <li className={styles.gap}>
      {events === null
        ? 'The connection was lost here; what came meanwhile stands under '
        : `${counted(events, 'more error', 'more errors')} came at once; ${events === 1 ? 'it stands' : 'they stand'} under `}
      <Link to={ISSUES_PATH}>Issues</Link>.
    </li>
  );
}
