import type { WebhookBody, WebhookIssue } from '../../contract/webhook-api.ts';
import type { Database } from '../db/schema.ts';

/** Puts an issue's new title into the webhook calls that are still to be made: they would tell of what is erased. */
export async function retellCalls(db: Database, digestKey: string, title: string): Promise<void> {
  const calls = await db
    .selectFrom('webhook_call')
    .select(['id', 'body'])
    // A hash: nothing in it is a wildcard.
    .where('body', 'like', `%${digestKey}%`)
    .execute();
  const retold = (issue: WebhookIssue): WebhookIssue =>
    issue.key === digestKey ? { ...issue, title } : issue;
  for (const { id, body } of calls) {
    const call = JSON.parse(body) as WebhookBody;
    const told: WebhookBody =
      'issue' in call ? { ...call, issue: retold(call.issue) } : { ...call, issues: call.issues.map(retold) };
    await db
      .updateTable('webhook_call')
      .set({ body: JSON.stringify(told) })
      .where('id', '=', id)
      .execute();
  }
}
