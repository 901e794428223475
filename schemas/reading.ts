import type { Contradiction, NamedReading } from "./contradiction.ts";
import { TouchstoneError } from "./error.ts";
import { nearestName } from "./nearest-name.ts";
import type { Profile } from "./profile.ts";
import type { Protocol } from "./protocol.ts";
import { levelOf } from "./rule.ts";
import type { Reading, Vector, VectorOutline, Verdict } from "./vector.ts";

/** Every reading that a protocol names, with its contradiction. */
export function namedReadings({
  contradictions = [],
}: Pick<Profile, "contradictions">): (NamedReading & { of: Contradiction })[] {
  return contradictions.flatMap((of) => of.readings.map((reading) => ({ ...reading, of })));
}

/**
 * Finds the readings with these names, by protocol. Throws a usage error for an unknown name, and for two readings of the same contradiction.
 */
export function readingsOf(protocols: readonly Protocol[], chosenNames: readonly string[]): Map<Protocol, string[]> {
  const readingsByProtocol = protocols.map((protocol) => ({ protocol, readings: namedReadings(protocol.profile) }));
  const currentNames = new Map(
    readingsByProtocol.flatMap(({ readings }) =>
      readings.flatMap(({ name, formerly = [] }) => formerly.map((formerName) => [formerName, name] as const)),
    ),
  );
  const names = [...new Set(chosenNames.map((name) => currentNames.get(name) ?? name))];
  for (const name of names) {
    if (readingsByProtocol.some(({ readings }) => readings.some((reading) => reading.name === name))) continue;
    const knownNames = readingsByProtocol.flatMap(({ readings }) => readings.map(({ name }) => name));
    const protocolNames = protocols.map((protocol) => protocol.name).join(", ");
    throw new TouchstoneError(
      "usage",
      `${protocolNames} ${protocols.length === 1 ? "has" : "have"} no reading "${name}"`,
      {
        hint:
          knownNames.length === 0
            ? "its specification does not contradict itself, as far as is known here: leave --reading out"
            : `${nearestName(name, knownNames)}there are ${knownNames.join(", ")}; \`touchstone list readings\` says what they mean`,
      },
    );
  }
  return new Map(
    readingsByProtocol.map(({ protocol, readings }) => {
      const chosenReadings = readings.filter((reading) => names.includes(reading.name));
      const conflicting = chosenReadings.find(
        ({ of }, index) => chosenReadings.findIndex((reading) => reading.of === of) < index,
      );
      if (conflicting !== undefined) {
        const both = chosenReadings.filter(({ of }) => of === conflicting.of).map(({ name }) => name);
        throw new TouchstoneError("usage", `the readings ${both.join(" and ")} exclude each other`, {
          hint: `choose one of them: both are about ${conflicting.of.about}`,
        });
      }
      return [protocol, chosenReadings.map(({ name }) => name)];
    }),
  );
}

/** The display name of a reader of vectors: `decimal` is Ajv with exact numbers. */
export function inFull(by: string): string {
  return by === "decimal" ? "exact decimal arithmetic" : by;
}

/** Describes the readers and their reason: the explanation of the reading, or the assertion at which they refuse. */
export function readingInWords({ by, why, site }: Reading): string {
  const reason = why ?? (site === undefined ? undefined : `refused at ${site.slice(site.indexOf("#"))}`);
  return `${by.map(inFull).join(", ")}${reason === undefined ? "" : `: ${reason}`}`;
}

/** The verdict of a reading on a disputed vector; undefined if it does not decide the vector. */
export function verdictUnder(
  { name, by = [], of }: NamedReading & { of: Contradiction },
  vector: Pick<Vector, "rule" | "readings">,
): Verdict | undefined {
  if (vector.rule === undefined || !of.rules.includes(vector.rule)) return undefined;
  const sources = [name, ...by];
  const isSource = (source: string): boolean =>
    sources.some((reader) => source === reader || source.startsWith(`${reader},`));
  const verdicts = new Set(
    (vector.readings ?? []).filter((reading) => reading.by.some(isSource)).map(({ verdict }) => verdict),
  );
  return verdicts.size === 1 ? [...verdicts][0] : undefined;
}

/** Whether a vector that may be disputed counts under a reading. */
export function decides(reading: NamedReading & { of: Contradiction }, vector: VectorOutline): boolean {
  return vector.valid === undefined ? verdictUnder(reading, vector) !== undefined : toleratesAll([reading], vector);
}

/** The readings that would decide a vector, except those that exclude a chosen one. */
export function wouldDecide(
  { profile }: Pick<Protocol, "profile">,
  chosen: readonly string[],
  vector: Vector,
): string[] {
  const allReadings = namedReadings(profile);
  const decidedContradictions = new Set(allReadings.filter(({ name }) => chosen.includes(name)).map(({ of }) => of));
  return allReadings
    .filter((reading) => !decidedContradictions.has(reading.of) && decides(reading, vector))
    .map(({ name }) => name);
}

/**
 * Applies readings to a vector: a disputed vector that they decide is no longer disputed, and a vector that breaks only rules that they
 * tolerate must be accepted.
 */
export function readAs(
  { profile, rules }: Pick<Protocol, "profile" | "rules">,
  names: readonly string[],
  vector: Vector,
): Vector {
  if (names.length === 0) return vector;
  const chosen = namedReadings(profile).filter(({ name }) => names.includes(name));
  if (vector.valid !== undefined) return withoutTolerated(chosen, vector);
  const reading = chosen.find((candidate) => verdictUnder(candidate, vector) !== undefined);
  if (reading === undefined) return vector;
  const verdict = verdictUnder(reading, vector);
  const { readings: _, ...otherMembers } = vector;
  const needs = [...new Set([...vector.needs, ...(reading.needs ?? [])])];
  const rule = rules.find(({ id }) => id === vector.rule);
  const level = vector.level ?? (rule === undefined ? "MUST" : levelOf(rule));
  return { ...otherMembers, valid: verdict === "valid", needs, ...(level === "MUST" ? {} : { level }) };
}

function withoutTolerated(chosen: readonly NamedReading[], vector: Vector): Vector {
  const { beyond, ...rest } = vector;
  return toleratesAll(chosen, vector) ? rest : vector;
}

/** Whether a valid vector that breaks other rules must still be accepted under these readings. */
export function toleratesAll(
  chosen: readonly NamedReading[],
  { valid, beyond = [] }: Pick<Vector, "valid" | "beyond">,
): boolean {
  const tolerated = chosen.flatMap(({ tolerates = [] }) => tolerates);
  return valid === true && beyond.length > 0 && beyond.every((rule) => tolerated.includes(rule));
}
