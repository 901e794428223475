import { decides, kebab, namedReadings, type Protocol, type Reading, type Vector } from "../../schemas/index.ts";

const validators: ReadonlySet<string> = new Set(["ajv", "hyperjump", "decimal"]);

/**
 * Lists the ids of a reading of a disputed vector: the names that the profile gives it, or else its own ids, or else an id made from each source (a
 * validator, a rule, or a kind of reader). The profile explains each id.
 */
export function readingIds(protocol: Pick<Protocol, "profile" | "rules">, vector: Vector, reading: Reading): string[] {
  const namedByProfile = namedReadings(protocol.profile).filter((candidate) => {
    return decides(candidate, { ...vector, readings: [reading] });
  });
  if (namedByProfile.length > 0) return namedByProfile.map(({ name }) => name);
  const { ids, by } = reading;
  return ids ?? [...new Set(by.map((source) => idOf(protocol, vector, source)))];
}

function idOf({ rules }: Pick<Protocol, "rules">, { rule, format }: Vector, source: string): string {
  if (validators.has(source)) return source;
  // The only doubtful formats here are times in a leap second.
  if (source === "implementations" && format !== undefined) return "leap-seconds-unknown";
  if (/^YAML/.test(source)) {
    const nameBeforeComma = kebab(source.replace(/,.*$/, ""), { keepDots: true });
    return nameBeforeComma === "yaml" ? "yaml-encodings" : kebab(source, { keepDots: true });
  }
  const cited = rules.find(({ id }) => id === source)?.id ?? (source === "rule" ? rule : undefined);
  const ruleId = cited ?? rule;
  const rulePart = ruleId === undefined ? [] : [ruleId.toLowerCase()];
  return [...rulePart, ...(cited === undefined ? [kebab(source)] : [])].join("-as-");
}

/** Adds ids to the readings of a vector. A foreign schema has no profile that explains its readings, so their ids are removed. */
export function withReadingIds(protocol: Protocol, vector: Vector): Vector {
  const { readings } = vector;
  if (readings === undefined) return vector;
  if (protocol.foreign === true) return { ...vector, readings: readings.map(({ ids: _, ...rest }) => rest) };
  const readingsWithIds = readings.map((reading) => ({ reading, ids: readingIds(protocol, vector, reading) }));
  // If readings with different verdicts share an id, the verdict is added to it.
  const isShared = (id: string, { verdict }: Reading): boolean =>
    readingsWithIds.some(({ reading, ids }) => reading.verdict !== verdict && ids.includes(id));
  return {
    ...vector,
    readings: readingsWithIds.map(({ reading, ids }): Reading => {
      const { verdict, ids: _, ...rest } = reading;
      return { verdict, ids: ids.map((id) => (isShared(id, reading) ? `${id}-${verdict}` : id)), ...rest };
    }),
  };
}
