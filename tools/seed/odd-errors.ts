import { browserEvent, RELEASES, type SeedEvent, serverEvent } from './event.ts';
import type { Random } from './random.ts';

/** Texts that the console must show unchanged: scripts, text directions, combining marks, markup, long texts. */
const TEXTS = [
  'Größe „XL“ ist ausverkauft – 売り切れ – נגמר במלאי – 🛒💥',
  'Z̸̢͓a̷̰͝l̵̥̇g̴̱̐o̶͎͒ in the cart',
  '\u202Ereversed\u202C and \u200Bzero-width\u200B and a tab\there',
  '<img src=x onerror=alert(1)> "><script>alert(2)</script> ${7*7} {{7*7}}',
  `A very long message: ${'all work and no play '.repeat(1_500)}`,
  `Without a blank ${'x'.repeat(12_000)}`,
];

/** Returns errors with unusual and very long values in every field. */
export function oddErrors(random: Random): readonly SeedEvent[] {
  return TEXTS.map((value, index) => {
    const event = (index % 2 === 0 ? browserEvent : serverEvent)(random, RELEASES[1], '/größe/🛒');
    return {
      ...event,
      user: { id: value.slice(0, 100), email: `${'long'.repeat(60)}@shop.example` },
      tags: Object.fromEntries(
        Array.from({ length: 60 }, (_, tag) => [`tag ${tag} ${value.slice(0, 20)}`, value]),
      ),
      extra: { nested: { deep: { deeper: [value, value] } } },
      breadcrumbs: Array.from({ length: 100 }, (_, step) => ({
        timestamp: Date.now() / 1_000 - 100 + step,
        category: 'console',
        message: `${step} ${value.slice(0, 300)}`,
      })),
      exception: { values: [{ type: 'UnicodeError', value }] },
    };
  });
}
