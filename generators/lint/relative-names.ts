import type { Location } from "../model/model.ts";

/** Names a location relative to another: within the same file, its fragment. */
export function relativeName(location: Location, other: Location): string {
  const fragment = location.indexOf("#");
  return other.startsWith(location.slice(0, fragment + 1)) ? location.slice(fragment) : location;
}

export function joinNames(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((each) => each !== "").join(" and ");
}
