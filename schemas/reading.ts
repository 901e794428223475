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
 * The readings with these names, by protocol. Throws a usage error for a name that no protocol has, and for two readings of the
 * same contradiction.
 */
export function readingsOf(protocols: readonly Protocol[], given: readonly string[]): Map<Protocol, string[]> {
  const all = protocols.map((protocol) => ({ protocol, named: namedReadings(protocol.profile) }));
  const renamed = new Map(
    all.flatMap(({ named }) => named.flatMap(({ name, formerly = [] }) => formerly.map((old) => [old, name] as const))),
  );
  const names = [...new Set(given.map((name) => renamed.get(name) ?? name))];
  for (const name of names) {
    if (all.some(({ named }) => named.some((each) => each.name === name))) continue;
    const known = all.flatMap(({ named }) => named.map((each) => each.name));
    const protocolNames = protocols.map((protocol) => protocol.name).join(", ");
    throw new TouchstoneError(
      "usage",
      `${protocolNames} ${protocols.length === 1 ? "has" : "have"} no reading "${name}"`,
      {
        hint:
          known.length === 0
            ? "its specification does not contradict itself, as far as is known here: leave --reading out"
            : `${nearestName(name, known)}there are ${known.join(", ")}; \`touchstone list readings\` says what they mean`,
      },
    );
  }
  return new Map(
    all.map(({ protocol, named }) => {
      const ownReadings = named.filter((each) => names.includes(each.name));
      const conflicting = ownReadings.find(({ of }, index) => ownReadings.findIndex((each) => each.of === of) < index);
      if (conflicting !== undefined) {
        const both = ownReadings.filter(({ of }) => of === conflicting.of).map((each) => each.name);
        throw new TouchstoneError("usage", `the readings ${both.join(" and ")} exclude each other`, {
          hint: `choose one of them: both are about ${conflicting.of.about}`,
        });
      }
      return [protocol, ownReadings.map((each) => each.name)];
    }),
  );
}

/** The name of a reader of vectors, for people: `decimal` is Ajv with exact numbers. */
export function inFull(by: string): string {
  return by === "decimal" ? "exact decimal arithmetic" : by;
}

/** The readers and their reason: the text of the reading, or the assertion at which differing validators refuse. */
export function readingInWords({ by, why, site }: Reading): string {
  const reason = why ?? (site === undefined ? undefined : `refused at ${site.slice(site.indexOf("#"))}`);
  return `${by.map(inFull).join(", ")}${reason === undefined ? "" : `: ${reason}`}`;
}

/** The verdict of a reading on a disputed vector; undefined if it decides nothing. */
export function verdictUnder(
  { name, by = [], of }: NamedReading & { of: Contradiction },
  vector: Pick<Vector, "rule" | "readings">,
): Verdict | undefined {
  if (vector.rule === undefined || !of.rules.includes(vector.rule)) return undefined;
  const sources = [name, ...by];
  const isSource = (source: string): boolean =>
    sources.some((each) => source === each || source.startsWith(`${each},`));
  const verdicts = new Set(
    (vector.readings ?? []).filter((reading) => reading.by.some(isSource)).map(({ verdict }) => verdict),
  );
  return verdicts.size === 1 ? [...verdicts][0] : undefined;
}

/** Whether a vector that may be disputed otherwise counts under a reading. */
export function decides(reading: NamedReading & { of: Contradiction }, vector: VectorOutline): boolean {
  return vector.valid === undefined ? verdictUnder(reading, vector) !== undefined : toleratesAll([reading], vector);
}

/** The readings that would decide a vector, except those that exclude a chosen one. */
export function wouldDecide(
  { profile }: Pick<Protocol, "profile">,
  chosen: readonly string[],
  vector: Vector,
): string[] {
  const named = namedReadings(profile);
  const settled = new Set(named.filter(({ name }) => chosen.includes(name)).map(({ of }) => of));
  return named.filter((each) => !settled.has(each.of) && decides(each, vector)).map(({ name }) => name);
}

/**
 * A vector under these readings of its protocol: a disputed one that they decide is disputed no longer, and a vector that breaks only rules
 * that they tolerate must be accepted.
 */
export function readAs(
  { profile, rules }: Pick<Protocol, "profile" | "rules">,
  names: readonly string[],
  vector: Vector,
): Vector {
  if (names.length === 0) return vector;
  const chosen = namedReadings(profile).filter(({ name }) => names.includes(name));
  if (vector.valid !== undefined) return withoutTolerated(chosen, vector);
  const reading = chosen.find((each) => verdictUnder(each, vector) !== undefined);
  if (reading === undefined) return vector;
  const verdict = verdictUnder(reading, vector);
  const { readings: _, ...rest } = vector;
  const needs = [...new Set([...vector.needs, ...(reading.needs ?? [])])];
  const rule = rules.find(({ id }) => id === vector.rule);
  const level = vector.level ?? (rule === undefined ? "MUST" : levelOf(rule));
  return { ...rest, valid: verdict === "valid", needs, ...(level === "MUST" ? {} : { level }) };
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
