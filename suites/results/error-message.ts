/** The message of a thrown value of any kind. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
