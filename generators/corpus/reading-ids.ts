import { decides, kebab, namedReadings, type Protocol, type Reading, type Vector } from "../../schemas/index.ts";

const validators: ReadonlySet<string> = new Set(["ajv", "hyperjump", "decimal"]);

/**
 * The ids of a reading of a disputed vector, which the profile explains: readings that it names, readings of RFC 8259, validators, and otherwise the
 * rule with its reader.
 */
export function readingIds(protocol: Pick<Protocol, "profile" | "rules">, vector: Vector, reading: Reading): string[] {
  const named = namedReadings(protocol.profile).filter((each) => {
    return decides(each, { ...vector, readings: [reading] });
  });
  if (named.length > 0) return named.map(({ name }) => name);
  const { ids, by } = reading;
  return ids ?? [...new Set(by.map((source) => idOf(protocol, vector, source)))];
}

function idOf({ rules }: Pick<Protocol, "rules">, { rule, format }: Vector, source: string): string {
  if (validators.has(source)) return source;
  // The only doubtful formats here are times in a leap second.
  if (source === "implementations" && format !== undefined) return "leap-seconds-unknown";
  if (/^YAML/.test(source))
    return kebab(source.replace(/,.*$/, ""), { keepDots: true }) === "yaml"
      ? "yaml-encodings"
      : kebab(source, { keepDots: true });
  const cited = rules.find(({ id }) => id === source)?.id ?? (source === "rule" ? rule : undefined);
  const of = cited ?? rule;
  const own = of === undefined ? [] : [of.toLowerCase()];
  return [...own, ...(cited === undefined ? [kebab(source)] : [])].join("-as-");
}

/** A vector with ids for its readings. Foreign schemas have no profile that explains readings. */
export function withReadingIds(protocol: Protocol, vector: Vector): Vector {
  const { readings } = vector;
  if (readings === undefined) return vector;
  if (protocol.foreign === true) return { ...vector, readings: readings.map(({ ids: _, ...rest }) => rest) };
  const all = readings.map((reading) => ({ reading, ids: readingIds(protocol, vector, reading) }));
  // If a source may be read either way, each verdict has its own id.
  const isShared = (id: string, { verdict }: Reading): boolean =>
    all.some(({ reading, ids }) => reading.verdict !== verdict && ids.includes(id));
  return {
    ...vector,
    readings: all.map(({ reading, ids }): Reading => {
      const { verdict, ids: _, ...rest } = reading;
      return { verdict, ids: ids.map((id) => (isShared(id, reading) ? `${id}-${verdict}` : id)), ...rest };
    }),
  };
}
