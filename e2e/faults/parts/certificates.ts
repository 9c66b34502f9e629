import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from './scripted-upstream.ts';
import { run } from './scratch.ts';

/** Two self-signed certificates for loopback: both are trusted, one has expired. */
export interface Certificates {
  readonly expired: Certificate;
  readonly valid: Certificate;
  /** A file with both certificates, for NODE_EXTRA_CA_CERTS. */
  readonly bundle: string;
}

/** Creates the certificates in `directory` with openssl; the project must not contain private keys. */
export function makeCertificates(directory: string): Certificates {
  const expired = make(directory, 'expired', '20210101000000Z');
  const valid = make(directory, 'valid', '20990101000000Z');
  const bundle = join(directory, 'bundle.pem');
  writeFileSync(bundle, expired.cert + valid.cert);
  return { expired, valid, bundle };
}

/** Uses `openssl ca`, the only command of openssl 3.0 that has options for dates. */
function make(directory: string, name: string, until: string): Certificate {
  const path = (suffix: string): string => join(directory, `${name}.${suffix}`);
  const openssl = (...words: readonly string[]): unknown => run('openssl', ...words);
  const configuration = `
[ca]
default_ca = bench
[bench]
database = ${path('index')}
new_certs_dir = ${directory}
serial = ${path('serial')}
default_md = sha256
policy = any
x509_extensions = extensions
[any]
commonName = supplied
[extensions]
subjectAltName = IP:127.0.0.1
basicConstraints = critical, CA:TRUE
[req]
distinguished_name = name
[name]
`;
  const [settings, key, request] = [path('cnf'), path('key'), path('csr')];
  writeFileSync(settings, configuration);
  writeFileSync(path('index'), '');
  writeFileSync(path('serial'), `0${name.length}\n`);
  const signing = ['-selfsign', '-config', settings, '-keyfile', key, '-in', request];
  const dates = ['-startdate', '20200101000000Z', '-enddate', until];
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', key);
  openssl('req', '-new', '-key', key, '-subj', `/CN=${name}`, '-config', settings, '-out', request);
  openssl('ca', '-batch', ...signing, ...dates, '-notext', '-out', path('crt'));
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(path('crt'), 'utf8') };
}
