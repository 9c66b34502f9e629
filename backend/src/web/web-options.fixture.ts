import type { WebOptions } from './served-clients.ts';

/** Settings as without any variable, for tests. */
export const WEB_OPTIONS: Omit<WebOptions, 'clientDir' | 'builtInDir'> = {
  settings: {
    dsn: 'https://key@errata.invalid/1',
    basePath: '',
    tunnel: '/tunnel',
    release: '1.4.2',
    environment: 'test',
    demo: false,
  },
  clientRelease: 'shop@2',
  httpsOnly: null,
  routes: null,
  policyMode: 'report-only',
  policyExtra: {},
  stored: null,
  onReload: () => {},
};
