import { readFileSync } from 'node:fs';
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
  const expired = make(directory, 'expired', '20200101000000Z', '20210101000000Z');
  const valid = make(directory, 'valid', '20200101000000Z', '20990101000000Z');
  const bundle = join(directory, 'bundle.pem');
  run('sh', '-c', `cat "${directory}"/*.crt > "${bundle}"`);
  return { expired, valid, bundle };
}

/** Uses `openssl ca`, the only command of openssl 3.0 that has options for dates. */
function make(directory: string, name: string, from: string, to: string): Certificate {
  const path = (suffix: string): string => join(directory, `${name}.${suffix}`);
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
  run(
    'sh',
    '-c',
    `printf '%s' "$0" > "${path('cnf')}"; : > "${path('index')}"; echo 0${name.length} > "${path('serial')}"`,
    configuration,
  );
  run('openssl', 'ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path('key'));
  run(
    'openssl',
    'req',
    '-new',
    '-key',
    path('key'),
    '-subj',
    `/CN=${name}`,
    '-config',
    path('cnf'),
    '-out',
    path('csr'),
  );
  run(
    'openssl',
    'ca',
    '-batch',
    '-selfsign',
    '-config',
    path('cnf'),
    '-keyfile',
    path('key'),
    '-in',
    path('csr'),
    '-startdate',
    from,
    '-enddate',
    to,
    '-notext',
    '-out',
    path('crt'),
  );
  return { key: readFileSync(path('key'), 'utf8'), cert: readFileSync(path('crt'), 'utf8') };
}
