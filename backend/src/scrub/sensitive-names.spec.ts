import { isSensitiveName, isSensitiveParameter } from './sensitive-names.ts';

const passwords = 'password Password user_password passwd passphrase mysql_pwd pass pin otp two-factor cvv';
const secrets = 'secret client_secret api_key apiKey api-key x-api-key privatekey private_key credentials';
const sessions =
  'auth oauth Authorization authorisation accessToken token bearer jwt session session_id csrf xsrf-token';

describe('isSensitiveName', () => {
  it.each(`${passwords} ${secrets} ${sessions} cookie Set-Cookie`.split(' '))('is true for %s', (name) => {
    expect(isSensitiveName(name)).toBe(true);
  });

  it.each('author authors authority passenger opinion key user email id event_id inside'.split(' '))(
    'is false for %s',
    (name) => {
      expect(isSensitiveName(name)).toBe(false);
    },
  );
});

describe('isSensitiveParameter', () => {
  it.each('key X-Amz-Signature sig PHPSESSID sso SAMLResponse AWS_ACCESS_KEY_ID password'.split(' '))(
    'is true for %s',
    (name) => {
      expect(isSensitiveParameter(name)).toBe(true);
    },
  );

  it.each('page Accept User-Agent Referer q'.split(' '))('is false for %s', (name) => {
    expect(isSensitiveParameter(name)).toBe(false);
  });
});
