/**
 * Runs on import, before React is evaluated: from here on an error has an event ID, and a sign-in code is removed from
 * the address bar before anything could report the address.
 */
import { hideOneTimeCode } from '../console/sign-in/one-time-code.ts';
import { Reporter } from '../reporting/reporter.ts';
import { readSettings } from '../reporting/settings.ts';
import { startReporting } from '../reporting/start-reporting.ts';
import { applyStoredTheme } from '../ui/theme.ts';

applyStoredTheme(window);
hideOneTimeCode(window);

export const settings = readSettings(document);
export const reporter = new Reporter();
startReporting(window, settings, reporter);
