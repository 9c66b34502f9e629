import { createContext, type ReactNode } from 'react';
import type { ApplicationFailure } from './application-error-page.tsx';

/**
 * Returns what a helpful page adds to its text, for a failure with the ID of its event (null: none was sent), or for a
 * refusal (null).
 */
export type RenderHelp = (failure: ApplicationFailure | null, eventId: string | null) => ReactNode;

/** The help of the error pages below; undefined in the built-in client, which has none. */
export const PageHelpContext = createContext<RenderHelp | undefined>(undefined);
