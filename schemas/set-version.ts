/** The version steps of a vector set, from the smallest to the largest. */
export const setSteps = ["none", "PATCH", "MINOR", "MAJOR"] as const;
export type SetStep = (typeof setSteps)[number];

/** The differences of a newer vector set from an older one: ids that are gone without an alias, new ids, and whether anything else differs. */
export interface SetChange {
  gone: number;
  added: number;
  isOther: boolean;
}

/** The version step that a change of a set requires. */
export function stepFor({ gone, added, isOther }: SetChange): SetStep {
  if (gone > 0) return "MAJOR";
  if (added > 0) return "MINOR";
  return isOther ? "PATCH" : "none";
}

/** The version after a step (Semantic Versioning 2.0.0, 6 to 8). */
export function movedBy(version: string, step: SetStep): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (step === "none") return version;
  if (step === "PATCH") return `${major}.${minor}.${patch + 1}`;
  return step === "MINOR" ? `${major}.${minor + 1}.0` : `${major + 1}.0.0`;
}

/** The step between two versions; undefined if the second is earlier. */
export function stepBetween(oldVersion: string, newVersion: string): SetStep | undefined {
  const [oldParts, newParts] = [oldVersion, newVersion].map((version) => version.split(".").map(Number)) as [
    number[],
    number[],
  ];
  const index = [0, 1, 2].find((part) => oldParts[part] !== newParts[part]);
  if (index === undefined) return "none";
  return (oldParts[index] ?? 0) < (newParts[index] ?? 0) ? setSteps[3 - index] : undefined;
}

export function isAtLeast(step: SetStep, other: SetStep): boolean {
  return setSteps.indexOf(step) >= setSteps.indexOf(other);
}
