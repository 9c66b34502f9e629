import type { RawBuilder } from 'kysely';

/** Something a row has to fulfil. */
export type Condition = RawBuilder<boolean>;
