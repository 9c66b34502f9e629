import { serverFailure } from './error-digest.ts';
import { UNREADABLE_VALUES } from './thrown-value.fixture.ts';
import { fieldOf, flatten, revive } from './thrown-value.ts';
import { thrownResponse } from './thrown-response.ts';

it.each(UNREADABLE_VALUES)('reads the readable parts of %s', (_name, thrown, parts) => {
  const { value } = thrown();

  expect(fieldOf(value, 'status')).toBeUndefined();
  expect(serverFailure(value)).toBeNull();
  expect(thrownResponse(value)).toBeNull();
  expect({ parts: revive(flatten(value)) }).toMatchObject({ parts });
});
