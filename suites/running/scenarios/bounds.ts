import {
  nearestName,
  type Protocol,
  pointer,
  type Setting,
  type TimeBound,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { packOf } from "../../packs/pack/load.ts";
import { boundIn } from "./bound.ts";

type SharedName = "answer" | "busy";

/** The time bounds that the scenarios of every protocol share. */
export const sharedBounds: readonly (TimeBound & { name: SharedName })[] = [
  {
    name: "answer",
    seconds: 10,
    says: "the answer to a request or to a hook of a command, beyond the time for which a read is to be held",
  },
  {
    name: "busy",
    seconds: 120,
    says: "a server that is busy (503 with Retry-After) or limits requests (429), for each request",
  },
];

/** Returns a bound that every protocol has, in milliseconds, as configured or by default. */
export function sharedBound(setting: Pick<Setting, "bounds">, name: SharedName): number {
  return boundIn(sharedBounds, setting, name);
}

async function boundsFor(protocol: Protocol): Promise<readonly TimeBound[]> {
  const { scenarios } = await packOf(protocol);
  return [...((await scenarios?.())?.bounds ?? []), ...sharedBounds];
}

/** Returns the bounds of a protocol's scenarios in seconds, by name, with the configured values. */
export async function boundsIn(
  protocol: Protocol,
  givenBounds: Setting["bounds"] = {},
): Promise<Record<string, number>> {
  const bounds = await boundsFor(protocol);
  return Object.fromEntries(bounds.map(({ name, seconds }) => [name, givenBounds[name] ?? seconds]));
}

/** Throws a usage error for a bound that none of the protocols has. `place` locates a part of the configuration. */
export async function mustBeBounds(
  protocols: readonly Protocol[],
  givenBounds: Readonly<Record<string, number>>,
  place: (at: string) => Promise<string>,
): Promise<void> {
  const names = Object.keys(givenBounds);
  if (names.length === 0) return;
  const boundsByProtocol = await Promise.all(protocols.map(boundsFor));
  const knownNames = [...new Set(boundsByProtocol.flat().map(({ name }) => name))];
  const unknownName = names.find((name) => !knownNames.includes(name));
  if (unknownName === undefined) return;
  throw new TouchstoneError("usage", `unknown time limit "${unknownName}"`, {
    where: await place(pointer.append("/bounds", unknownName)),
    hint: `${nearestName(unknownName, knownNames)}there are: ${knownNames.join(", ")}`,
  });
}
