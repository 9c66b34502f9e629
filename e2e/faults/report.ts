import { marked, type Row } from './table.ts';

/** The report for .ci/test-reports.ts: what each skipped experiment lacks, findings and log of failed ones. */
export function reportOf(rows: readonly Row[]): object {
  const having = (verdict: Row['verdict']): readonly Row[] => rows.filter((row) => row.verdict === verdict);
  return {
    passed: having('passed').length,
    failed: having('FAILED').length,
    skips: having('skipped').map(
      ({ id, findings }) => `${id} ${findings.map(({ text }) => text).join('; ')}`,
    ),
    failures: having('FAILED').map((row) => ({
      id: row.id,
      name: row.fault,
      message: messageOf(row),
      log: (row.complaints ?? []).join('\n'),
    })),
  };
}

/** The findings, those that missed their target first. */
function messageOf({ findings }: Row): string {
  const lines = findings.filter(({ result }) => result !== 'noted').map(marked);
  return lines
    .toSorted((one, other) => Number(other.startsWith('NOT')) - Number(one.startsWith('NOT')))
    .join('\n');
}
