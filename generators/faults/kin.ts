/** Words that are often used together. */
const wordGroups: readonly (readonly string[])[] = [
  ["accept", "reject", "approve", "deny", "defer"],
  ["transient", "permanent", "unknown", "network", "internal"],
  ["success", "error", "timeout", "failed", "cancelled"],
  ["low", "medium", "high", "critical"],
  ["user", "system", "producer", "policy"],
];

/** Finds a string that is not in a list, from the same group as two of its words if possible. */
export function unlistedText(allowed: readonly unknown[]): string {
  const group = wordGroups.find((words) => words.filter((word) => allowed.includes(word)).length > 1);
  const related = group?.findLast((word) => !allowed.includes(word));
  return related ?? (allowed.includes("unknown-value") ? "another-value" : "unknown-value");
}
