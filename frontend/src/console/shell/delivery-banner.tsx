import { useLocation } from 'react-router';
import { useVerdict } from '../../api/verdict.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { titleOf } from '../shared/delivery-causes.ts';
import { DELIVERY_PATH } from '../shared/paths.ts';
import styles from './console-frame.module.css';

/**
 * Tells on all pages but Delivery that an operator has to act. A destination for which events only wait is not the reader's
 * business. The live region is always mounted, as that of the connection.
 */
export function DeliveryBanner() {
  const { pathname } = useLocation();
  const verdict = useVerdict(pathname !== DELIVERY_PATH);
  return (
    <output className={styles.place}>
      {verdict?.level === 'action' && (
        <div className={`${styles.banner} ${styles.bad}`}>
          <Icon name="alert" />
          <span>
            {titleOf(verdict)}. <Link to={DELIVERY_PATH}>See Delivery</Link>
          </span>
        </div>
      )}
    </output>
  );
}
