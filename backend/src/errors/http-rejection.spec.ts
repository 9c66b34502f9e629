import {
  BadRequestException,
  ConflictException,
  HttpException,
  NotFoundException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { rejectionOf } from './http-rejection.ts';

describe('rejectionOf', () => {
  it.each([
    [new BadRequestException('Give a number.'), 'Give a number.', {}],
    [new BadRequestException(), null, {}],
    [new BadRequestException('Bad Request'), null, {}],
    [
      new BadRequestException(['a is missing', 'b is too long']),
      'a is missing; b is too long',
      { errors: ['a is missing', 'b is too long'] },
    ],
    [
      new BadRequestException({ message: ['a is missing'], errors: { a: 'missing' } }),
      'a is missing',
      { errors: { a: 'missing' } },
    ],
    [new BadRequestException([]), null, {}],
    [
      new BadRequestException([{ property: 'a', constraints: { isEmail: 'no address' } }]),
      null,
      { errors: [{ property: 'a', constraints: { isEmail: 'no address' } }] },
    ],
    [
      new UnprocessableEntityException({ errors: { email: ['is taken'] } }),
      null,
      { errors: { email: ['is taken'] } },
    ],
    [
      new ConflictException({ message: 'Out of stock', code: 'OUT_OF_STOCK', sku: 'A-17' }),
      'Out of stock',
      { code: 'OUT_OF_STOCK', sku: 'A-17' },
    ],
    [
      new ConflictException({
        message: 'x',
        status: 200,
        digest: 'AAAA-AAAA',
        instance: '/',
        type: 't',
        left: 3,
      }),
      'x',
      { left: 3 },
    ],
    [new ConflictException({ message: 'x', count: 1n }), 'x', {}],
    [new HttpException('A teapot', 409), 'A teapot', {}],
    [new NotFoundException({ left: undefined }), null, {}],
  ])('says what the exception says: %#', (exception, detail, members) => {
    expect(rejectionOf(exception, exception.getStatus())).toMatchObject({ detail });
    expect(rejectionOf(exception, exception.getStatus()).members).toEqual(members);
  });

  it('says nothing of an exception that is not of Nest', () => {
    expect(rejectionOf(new Error('secret'), 413)).toEqual({
      status: 413,
      title: 'Payload Too Large',
      detail: null,
    });
  });
});
