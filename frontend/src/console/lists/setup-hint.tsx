import { Link } from '../../ui/link.tsx';
import { SETUP_PATH } from '../shared/paths.ts';

/** Leads from an empty page to the set-up of an application. */
export function SetupHint() {
  return (
    <p>
      Your application does not report here yet? <Link to={SETUP_PATH}>Set it up</Link>.
    </p>
  );
}
