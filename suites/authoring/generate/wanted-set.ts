/** Which vectors a pack has. `core` is a small set that kills each mutant once, without `raw.json`. */
export type RequestedSet = "core" | "full";

/** Sets the requested vectors in a document of a profile. Without a request, the document is unchanged. */
export function withRequestedSet<T extends object>(document: T, set: RequestedSet | undefined): T & { kept?: "core" } {
  if (set === undefined) return document;
  const { kept: _, ...otherMembers } = document as T & { kept?: "core" };
  return { ...(otherMembers as T), ...(set === "core" ? { kept: "core" } : {}) };
}
