import { Notice } from '../../ui/notice.tsx';

/** What support does not see, and whom to ask. */
export function OperatorsOnly() {
  return (
    <Notice icon="closed" title="Audit log and erasure are for operators">
      <p>
        You are signed in as support. Ask an operator when something of a person has to be forgotten, or when
        somebody needs to know who looked at what.
      </p>
    </Notice>
  );
}
