import {
  besideFirst,
  faultsBy,
  type JsonObject,
  nearestName,
  type Protocol,
  pointer,
  type Scenario,
  TouchstoneError,
} from "../../../schemas/index.ts";

/** Returns the parties that a protocol's scenarios can be played against, the default one first. */
export function sidesOf({ profile }: Protocol): string[] {
  return Object.keys(profile.sides ?? {});
}

/** Returns the scenarios that are played against one party, by default the protocol's default party. */
export function ofSide(protocol: Protocol, scenarios: readonly Scenario[], side?: string): Scenario[] {
  const [defaultSide] = sidesOf(protocol);
  return scenarios.filter((scenario) => (scenario.side ?? defaultSide) === (side ?? defaultSide));
}

/** Throws a usage error for a party that the protocol does not have. */
export function mustBeSide(protocol: Protocol, side: string): void {
  const names = sidesOf(protocol);
  if (names.includes(side)) return;
  const hint = names.length === 0 ? "leave it out" : `${nearestName(side, names)}there are: ${names.join(", ")}`;
  throw new TouchstoneError("usage", `${protocol.name} has no side "${side}"`, { hint });
}

/** Throws a usage error for a hook that no scenario of the protocols calls. `place` locates a part of the configuration. */
export async function mustBeHooks(
  protocols: readonly Protocol[],
  hooks: Readonly<Record<string, unknown>>,
  place: (at: string) => Promise<string>,
): Promise<void> {
  const sides = protocols.flatMap(({ profile }) => Object.values(profile.sides ?? {}));
  const knownHooks = [...new Set([...sides.flatMap((side) => Object.keys(side.hooks)), "profile"])];
  for (const name of sides.length === 0 ? [] : Object.keys(hooks))
    if (!knownHooks.includes(name))
      throw new TouchstoneError("usage", `unknown hook "${name}"`, {
        where: await place(pointer.append("/hooks", name)),
        hint: `${nearestName(name, knownHooks)}there are: ${knownHooks.join(", ")}`,
      });
}

/** Throws a usage error for an option that no side of the protocols has, or that has an invalid value. `side` is the played side (by default each protocol's default side). `place` locates a part of the configuration. */
export async function mustBeOptions(
  protocols: readonly Protocol[],
  options: JsonObject,
  place: (at: string) => Promise<string>,
  side?: string,
): Promise<void> {
  const sides = protocols.flatMap(({ profile }) => Object.entries(profile.sides ?? {}));
  const playedSides = protocols.map((protocol) => side ?? sidesOf(protocol)[0]);
  // A configuration may serve several parties; if they define an option differently, the definition of the played one counts.
  const sortedSides = sides.sort(([a], [b]) => Number(playedSides.includes(a)) - Number(playedSides.includes(b)));
  const properties: JsonObject = Object.assign({}, ...sortedSides.map(([, definition]) => definition.options));
  const schema: JsonObject = { properties, additionalProperties: false };
  const [firstFault, ...otherFaults] = sides.length === 0 ? [] : faultsBy(schema, options, "/options");
  if (firstFault === undefined) return;
  throw new TouchstoneError("usage", firstFault.what, {
    where: await place(firstFault.at),
    hint: `${firstFault.hint ?? "touchstone play PROTOCOL --sides shows what options mean"}${besideFirst(firstFault, otherFaults)}`,
  });
}
