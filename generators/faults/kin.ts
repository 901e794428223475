/** Words that are often used together. */
const families: readonly (readonly string[])[] = [
  ["accept", "reject", "approve", "deny", "defer"],
  ["transient", "permanent", "unknown", "network", "internal"],
  ["success", "error", "timeout", "failed", "cancelled"],
  ["low", "medium", "high", "critical"],
  ["user", "system", "producer", "policy"],
];

/** A text that is not in a list: a word that goes with its other words, if there is one. */
export function unlistedText(allowed: readonly unknown[]): string {
  const family = families.find((words) => words.filter((word) => allowed.includes(word)).length > 1);
  const expected = family?.findLast((word) => !allowed.includes(word));
  return expected ?? (allowed.includes("unknown-value") ? "another-value" : "unknown-value");
}
