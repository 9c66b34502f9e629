import { randomUUID } from 'node:crypto';
import type { IssueEvent, SummaryCall, WebhookBody, WebhookIssue } from '../../contract/webhook-api.ts';
import { isoTime } from '../../time/iso.ts';
import type { StoreTransaction } from '../db/schema.ts';

/** Issues that a summary names; who wants all of them opens the console. */
const MAX_NAMED = 20;
const SUMMARY = 'issues.summary';

/** The calls that are due, behind those that are made one by one. */
export interface Rest {
  readonly afterId: number;
  readonly nowMs: number;
}

/** Puts one call in the place of all the rest, and gives it. However many there are, only a few are read. */
export async function summariseCalls(
  trx: StoreTransaction,
  rest: Rest,
  publicUrl: string | null,
): Promise<string> {
  const earlier = (await restOf(trx, rest).where('kind', '=', SUMMARY).execute()).map(bodyOf);
  const some = await restOf(trx, rest).where('kind', '<>', SUMMARY).orderBy('id').limit(MAX_NAMED).execute();
  const gone = await trx
    .deleteFrom('webhook_call')
    .where('next_ms', '<=', rest.nowMs)
    .where('id', '>', rest.afterId)
    .returning('kind')
    .execute();
  const countOf = (event: IssueEvent): number =>
    gone.filter(({ kind }) => kind === event).length +
    earlier.reduce((sum, call) => sum + (call.event === SUMMARY ? call.counts[event] : 0), 0);
  const summary: SummaryCall = {
    id: randomUUID(),
    event: SUMMARY,
    time: isoTime(rest.nowMs),
    counts: { 'issue.new': countOf('issue.new'), 'issue.regressed': countOf('issue.regressed') },
    issues: [...earlier, ...some.map(bodyOf)].flatMap(issuesOf).slice(0, MAX_NAMED),
    permalink: publicUrl === null ? null : `${publicUrl}/console/issues`,
  };
  return JSON.stringify(summary);
}

function restOf(trx: StoreTransaction, { afterId, nowMs }: Rest) {
  return trx
    .selectFrom('webhook_call')
    .select('body')
    .where('next_ms', '<=', nowMs)
    .where('id', '>', afterId);
}

/** As noteWebhook and this file wrote it. */
function bodyOf({ body }: { readonly body: string }): WebhookBody {
  return JSON.parse(body) as WebhookBody;
}

function issuesOf(call: WebhookBody): readonly WebhookIssue[] {
  return call.event === SUMMARY ? call.issues : [call.issue];
}
