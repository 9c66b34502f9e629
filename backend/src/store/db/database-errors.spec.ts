import { connectionError, isRefusal } from './database-errors.ts';

describe('connectionError', () => {
  it.each([
    ['28P01', 'password authentication failed for user "errata"', true],
    [
      '28000',
      'no pg_hba.conf entry for host "10.0.0.7", user "errata", database "errata", no encryption',
      true,
    ],
    ['3D000', 'database "errata" does not exist', true],
    ['42501', 'permission denied for database "errata"', true],
    ['42704', 'unrecognized configuration parameter "pool"', true],
    ['CERT_HAS_EXPIRED', 'certificate has expired', true],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', true],
    [undefined, 'The server does not support SSL connections', true],
    [undefined, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', true],
    ['57P03', 'the database system is starting up', false],
    ['53300', 'sorry, too many clients already', false],
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432', false],
    [undefined, 'timeout exceeded when trying to connect', false],
  ])('of %s, %s: does an operator have to end it? %s', (code, message, expected) => {
    const error = connectionError(Object.assign(new Error(message), { code }));

    expect(isRefusal(error)).toBe(expected);
    expect(error).toMatchObject({ message });
  });
});
