/** Which vectors a pack has. `core` is a small set that kills each mutant once, without `raw.json`. */
export type WantedSet = "core" | "full";

/** The document of a profile with the requested set, or otherwise with its previous one. */
export function withRequestedSet<T extends object>(document: T, set: WantedSet | undefined): T & { kept?: "core" } {
  if (set === undefined) return document;
  const { kept: _, ...others } = document as T & { kept?: "core" };
  return { ...(others as T), ...(set === "core" ? { kept: "core" } : {}) };
}
