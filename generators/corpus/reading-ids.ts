import { decides, kebab, namedReadings, type Protocol, type Reading, type Vector } from "../../schemas/index.ts";

/** How RFC 8259 and those who stand beside it are read, by their words. */
const general: Readonly<Record<string, string>> = {
  "names should be unique, and many readers take the last of two": "names-repeat",
  "in I-JSON names are unique, and readers may report an error": "names-unique",
  "the grammar lets any four digits follow": "surrogates-alone",
  "in I-JSON no text has half a surrogate pair": "surrogates-paired",
  "a parser may ignore a byte order mark": "mark-ignored",
  "nobody may add one, and a parser may treat it as an error": "mark-refused",
  "a parser may limit the depth of nesting": "depth-limited",
  "a parser may limit the range and the precision of numbers": "numbers-limited",
  "it is not JSON": "json",
  "a clock without leap seconds, as of POSIX, has no such moment": "leap-seconds-unknown",
};

/** The same without a limit, by the clause: of nesting and of numbers. */
const unlimited: Readonly<Record<string, string>> = {
  "RFC 8259, 2": "depth-unlimited",
  "RFC 8259, 6": "numbers-unlimited",
};

const validators: ReadonlySet<string> = new Set(["ajv", "hyperjump", "decimal"]);

/**
 * The ids of a reading of a disputed vector, which the profile explains: of readings that it names, of how RFC 8259 is read, of validators, and otherwise
 * of the rule and who reads it so.
 */
export function readingIds(protocol: Pick<Protocol, "profile" | "rules">, vector: Vector, reading: Reading): string[] {
  const named = namedReadings(protocol.profile).filter((each) => {
    return decides(each, { ...vector, readings: [reading] });
  });
  if (named.length > 0) return named.map(({ name }) => name);
  const { by, why = "" } = reading;
  return [...new Set(by.map((source) => idOf(protocol, vector.rule, source, why)))];
}

function idOf({ rules }: Pick<Protocol, "rules">, rule: string | undefined, source: string, why: string): string {
  if (validators.has(source)) return source;
  const known = why === "the grammar has no limit" ? unlimited[source] : general[why];
  if (known !== undefined) return known;
  if (/^YAML/.test(source))
    return kebab(source.replace(/,.*$/, ""), ".") === "yaml" ? "yaml-encodings" : kebab(source, ".");
  const cited = rules.find(({ id }) => id === source)?.id ?? (source === "rule" ? rule : undefined);
  const of = cited ?? rule;
  const own = of === undefined ? [] : [of.toLowerCase()];
  return [...own, ...(cited === undefined ? [kebab(source)] : [])].join("-as-");
}

/** A vector whose readings have their ids. Of somebody's own schemas no profile explains any. */
export function withReadingIds(protocol: Protocol, vector: Vector): Vector {
  const { readings } = vector;
  if (readings === undefined || protocol.foreign === true) return vector;
  const all = readings.map((reading) => ({ reading, ids: readingIds(protocol, vector, reading) }));
  // Of one source that may be read either way each side has an id of its own.
  const isShared = (id: string, { verdict }: Reading): boolean =>
    all.some(({ reading, ids }) => reading.verdict !== verdict && ids.includes(id));
  return {
    ...vector,
    readings: all.map(({ reading, ids }): Reading => {
      const { verdict, by, ...rest } = reading;
      const own = ids.map((id) => (isShared(id, reading) ? `${id}-${verdict}` : id));
      return { verdict, ids: own, by, ...rest };
    }),
  };
}
