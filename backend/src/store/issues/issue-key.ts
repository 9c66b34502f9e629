/** Makes the key of an issue: a digest (SHA-256, 64 hex digits) within a project. */
export function issueKey(digestKey: string, projectId: number): string {
  return `${digestKey} ${projectId}`;
}
