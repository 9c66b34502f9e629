import { withSdk } from './sdk.ts';

describe('withSdk', () => {
  it.each([
    ['raven-ruby/3.1.2', {}, { name: 'raven-ruby', version: '3.1.2' }],
    ['raven-ruby', {}, { name: 'raven-ruby', version: undefined }],
    ['raven-ruby/3.1.2', { sdk: 'text' }, { name: 'raven-ruby', version: '3.1.2' }],
    ['raven-ruby', { sdk: { name: '', version: '3' } }, { name: 'raven-ruby', version: '3' }],
    ['a/1', { sdk: { name: 'sentry.ruby', version: '5' } }, { name: 'sentry.ruby', version: '5' }],
    [null, { sdk: { version: '5' } }, { version: '5' }],
    [null, {}, undefined],
  ])('of the client %j makes of %j the SDK %j', (client, event, sdk) => {
    expect(withSdk(event, client)['sdk']).toEqual(sdk);
  });
});
