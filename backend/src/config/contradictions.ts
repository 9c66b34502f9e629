import type { Config } from './config.ts';

/** Faults that no setting has alone; `config` holds whatever could be read. */
export function contradictions(config: Partial<Config>): readonly string[] {
  return [...sameTokens(config), ...halfProvider(config)];
}

function sameTokens({ consoleToken, supportToken }: Partial<Config>): readonly string[] {
  if (typeof supportToken !== 'string' || supportToken !== consoleToken) return [];
  return ['ERRATA_SUPPORT_TOKEN: is ERRATA_CONSOLE_TOKEN, which makes its holders operators; choose another'];
}

function halfProvider(config: Partial<Config>): readonly string[] {
  const { oidcIssuer, oidcClientId, oidcOperators = [], oidcSupport = [] } = config;
  const hasIssuer = typeof oidcIssuer === 'string';
  if (hasIssuer !== (typeof oidcClientId === 'string'))
    return ['OIDC_ISSUER and OIDC_CLIENT_ID: only one of them is set'];
  if (hasIssuer && oidcOperators.length + oidcSupport.length === 0)
    return ['OIDC_OPERATORS and OIDC_SUPPORT: both are empty, nobody could sign in; name who may'];
  return [];
}
