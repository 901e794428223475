/** The message of a thrown value of any kind. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
}
