import {
  BadRequestException,
  ConflictException,
  HttpException,
  NotFoundException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { unreadable } from '../digest/hostile-values.fixture.ts';
import { membersOf, rejectionOf } from './http-rejection.ts';

const BAD = { error: 'Bad Request', statusCode: 400 };
const circular: Record<string, unknown> = {};
circular['itself'] = circular;
/** A body with members that JSON cannot hold. */
const mixed = unreadable(
  { code: 'D', big: 1n, circular, error: new Error('secret'), left: undefined },
  'bad',
);
/** Problem details of an application. */
const own = { type: 'https://x/y', title: 'T', detail: 'my detail', instance: '/i', code: 'D' };
const named = { digest: 'EVIL-EVIL', reference: 'EVIL' };

describe('rejectionOf', () => {
  it.each([
    [new BadRequestException('No.'), 'No.', { ...BAD, message: 'No.' }],
    [new BadRequestException(), null, { statusCode: 400, message: 'Bad Request' }],
    [new BadRequestException('Bad Request'), null, { ...BAD, message: 'Bad Request' }],
    [new BadRequestException(['a', 'b']), 'a; b', { ...BAD, message: ['a', 'b'], errors: ['a', 'b'] }],
    [
      new BadRequestException({ message: ['a'], errors: { a: 'missing' } }),
      'a',
      { message: ['a'], errors: { a: 'missing' } },
    ],
    [new BadRequestException([]), null, { ...BAD, message: [] }],
    [
      new BadRequestException([{ property: 'a' }]),
      null,
      { ...BAD, message: [{ property: 'a' }], errors: [{ property: 'a' }] },
    ],
    [new UnprocessableEntityException({ errors: { a: ['b'] } }), null, { errors: { a: ['b'] } }],
    [
      new ConflictException({ message: 'Sold', code: 'SOLD', stack: 's' }),
      'Sold',
      { message: 'Sold', code: 'SOLD' },
    ],
    [new HttpException('A teapot', 409), 'A teapot', { statusCode: 409, message: 'A teapot' }],
    [new NotFoundException({ left: undefined }), null, {}],
    [
      new HttpException(['a', 'b'], 400),
      'a; b',
      { statusCode: 400, message: ['a', 'b'], errors: ['a', 'b'] },
    ],
    [new HttpException(Buffer.from('x'), 400), null, { statusCode: 400, message: 'Bad Request' }],
    [new HttpException({ at: new Date(0) }, 400), null, { at: '1970-01-01T00:00:00.000Z' }],
    [new HttpException({ secret: 1, toJSON: () => ({ a: 1 }) }, 400), null, { a: 1 }],
    [
      new HttpException(Reflect.apply(BigInt, null, [1]) as never, 400),
      null,
      { statusCode: 400, message: 'Bad Request' },
    ],
    [
      new HttpException({ toJSON: () => Object.assign(new Error(), { query: 'secret' }) }, 400),
      null,
      { statusCode: 400, message: 'Bad Request' },
    ],
    [new HttpException(mixed, 400), null, { code: 'D' }],
    [new HttpException(new Error('secret'), 400), null, { statusCode: 400, message: 'Bad Request' }],
    [new HttpException({ ...own, ...named, status: 200 }, 400), 'my detail', { ...own, ...named }],
    [new HttpException({ type: 7, title: 7, detail: {}, instance: null }, 400), null, {}],
    [new Error('secret'), null, { statusCode: 400, message: 'Bad Request' }],
  ])('says what the exception says: %#', (thrown, detail, members) => {
    const status = thrown instanceof HttpException ? thrown.getStatus() : 400;

    expect(rejectionOf(thrown, status)).toMatchObject({ status, detail });
    expect(rejectionOf(thrown, status).members).toEqual(members);
  });

  it.each([
    [new BadRequestException({ title: 'No seat' }), 'No seat'],
    [new BadRequestException({ title: 7 }), 'Bad Request'],
  ])('has the title of the application if it is a text: %#', (thrown, title) => {
    expect(rejectionOf(thrown, 400)).toMatchObject({ title });
  });
});

describe('membersOf', () => {
  it.each([
    [{ ...own, ...named, status: 200, message: 'secret', error: 'secret', statusCode: 503 }, own],
    [mixed, { code: 'D' }],
    [['secret'], {}],
    ['secret', {}],
    [Buffer.from('secret'), {}],
  ])('has what an application gives to a failure: %#', (body, members) => {
    expect(membersOf(new HttpException(body, 503))).toEqual(members);
  });

  it('has nothing of an exception that is not of Nest', () => {
    expect(membersOf(Object.assign(new Error('secret'), own))).toEqual({});
  });
});
