import { ANSWER, EVENT } from '../console.fixture.tsx';
import { answerMarkdown } from './answer-markdown.ts';

const LINK = 'https://errata.example/console/e/7KQ4-M2XD';

it('tells a ticket what failed, why, and where to look', () => {
  expect(answerMarkdown({ issue: ANSWER, event: EVENT, link: LINK })).toBe(`## TypeError: cart is undefined

\`7KQ4-M2XD\` · server · release 1.4.2 · open

38 events, 12 users · first seen 2026-11-21 02:41:00 UTC · last seen 2026-11-21 03:05:00 UTC

${LINK}

### Cause

**TypeError**: cart is undefined

\`\`\`
cart/total.ts:42:17  totalOf
  41 |   const items = order.cart;
> 42 |   return items.length;
… 1 frame hidden
\`\`\`

caused by **DatabaseError**: no such row

### Timeline

| time | source | category | text |
| --- | --- | --- | --- |
| 2026-11-21 03:08:00 UTC | browser | ui.click | button\\#pay |
| 2026-11-21 03:08:01 UTC | server | request | POST /checkout/1 |
| 2026-11-21 03:08:02 UTC | server | exception | TypeError: cart is undefined |
| 2026-11-21 03:08:03 UTC | browser | exception | ApiError: status 500 |

### Event

- event ID: \`00000000000000000000000000000001\`
- reference: \`0000-0001\`
- time: 2026-11-21 03:08:00 UTC
- path: /checkout/1
- release: 1.4.2
- environment: production
- browser: Firefox 149 on macOS
- sent by: This server
`);
});

it('has the stack of the newest full occurrence for a repeat that was kept without one', () => {
  const event = { ...EVENT, exceptions: [], brief: true };

  const markdown = answerMarkdown({ issue: ANSWER, event, link: LINK });

  expect(markdown).toContain(
    'Stack trace of the most recent full event.\n\n**TypeError**: cart is undefined',
  );
});

it('does not contain the user', () => {
  expect(answerMarkdown({ issue: ANSWER, event: EVENT, link: LINK })).not.toContain('ann@example.org');
});

it('says when only the counts are left', () => {
  const markdown = answerMarkdown({ issue: { ...ANSWER, latest: null }, event: null, link: LINK });

  expect(markdown).toContain('only counts remain');
  expect(markdown).not.toContain('### Cause');
});

it('does not call an occurrence gone that was only not loaded', () => {
  const markdown = answerMarkdown({ issue: ANSWER, event: undefined, link: LINK });

  expect(markdown).toContain('The event was not loaded when this was copied.');
  expect(markdown).not.toContain('only counts remain');
});

it('lets no text of an event become a heading, a link, a mention or HTML', () => {
  const title = '# [click](javascript:alert(1)) @everyone <img src=x> ![x](y)\n# second';

  const [heading] = answerMarkdown({ issue: { ...ANSWER, title }, event: null, link: LINK }).split('\n');

  expect(heading).toBe(
    '## \\# \\[click\\](javascript:alert(1)) \\@everyone \\<img src=x\\> \\!\\[x\\](y) \\# second',
  );
});

it('lets no source line end the block it stands in', () => {
  const frame = {
    file: 'a.ts',
    function: null,
    line: 1,
    column: null,
    own: true,
    mapped: true,
    source: [{ number: 1, text: '```` # out' }],
  };
  const event = { ...EVENT, exceptions: [{ type: 'Error', value: 'x', frames: [frame] }] };

  expect(answerMarkdown({ issue: ANSWER, event, link: LINK })).toContain(
    '`````\na.ts:1\n> 1 | ```` # out\n`````',
  );
});
