import type { HourSource } from '../db/schema.ts';

/** The sources of counted events in project_hour. */
export const SERVER_HOURS = 0 satisfies HourSource;
export const BROWSER_HOURS = 1 satisfies HourSource;
export const REPORT_HOURS = 2 satisfies HourSource;
