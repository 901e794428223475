/** Words that people expect beside each other. */
const families: readonly (readonly string[])[] = [
  ["accept", "reject", "approve", "deny", "defer"],
  ["transient", "permanent", "unknown", "network", "internal"],
  ["success", "error", "timeout", "failed", "cancelled"],
  ["low", "medium", "high", "critical"],
  ["user", "system", "producer", "policy"],
];

/** A text that a list has not: one that its words make people expect, if they do. */
export function strangerTo(allowed: readonly unknown[]): string {
  const family = families.find((words) => words.filter((word) => allowed.includes(word)).length > 1);
  const expected = family?.findLast((word) => !allowed.includes(word));
  return expected ?? (allowed.includes("unknown-value") ? "another-value" : "unknown-value");
}
