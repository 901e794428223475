import {
  calledBy,
  type Json,
  namesAssertion,
  type Protocol,
  placedAssertion,
  pointer,
  shortAssertion,
  sourceIn,
  type Vector,
  verdictOf,
} from "../../../schemas/index.ts";
import { quoteForShell } from "../../base/text/quote.ts";
import { examplesOf } from "./example.ts";

/** The maximum number of characters that are shown of a value. */
const maxValueLength = 160;

/** Formats the value at a location of a schema, such as `: 200` for `maxLength`; empty if there is no value. */
export function assertionAt({ schemas }: Protocol, site: string): string {
  const [id, fragment = ""] = site.split("#");
  const schema = schemas.find(({ $id }) => $id === id);
  const value = schema === undefined ? undefined : pointer.at(fragment, schema);
  if (value === undefined || fragment === "") return "";
  const text = JSON.stringify(withoutAnnotations(value));
  const shortText = text.length > maxValueLength ? `${text.slice(0, maxValueLength - 1)}…` : text;
  return `: ${shortText}`;
}

/** Removes the annotations from a schema. */
function withoutAnnotations(value: Json): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => !["title", "description", "$comment", "examples"].includes(name)),
  );
}

/** Explains an assertion that no rule names: its schema, its file and its vectors. Undefined if it has no vectors. */
export function assertionLines(protocol: Protocol, name: string, vectors: readonly Vector[]): string[] | undefined {
  const sites = new Set(vectors.flatMap(({ site }) => site ?? []));
  const site = [...sites].find((candidate) => namesAssertion(name, candidate, sourceIn(protocol, candidate)));
  if (site === undefined) return undefined;
  const vectorsOfSite = vectors.filter((vector) => vector.site === site);
  const counts = (["valid", "invalid", "disputed"] as const)
    .map((verdict) => [vectorsOfSite.filter((vector) => verdictOf(vector) === verdict).length, verdict] as const)
    .filter(([count]) => count > 0);
  const source = sourceIn(protocol, site);
  const rules = new Set(vectorsOfSite.flatMap(({ rule }) => rule ?? []));
  const invalidVectors = vectorsOfSite.filter(({ valid }) => valid === false);
  return [
    `${source === undefined ? shortAssertion(site) : placedAssertion(site, source)}${assertionAt(protocol, site)}`,
    `  an assertion of a schema of ${protocol.profile.title} ${protocol.version}`,
    "",
    `  site      ${site}`,
    ...(rules.size === 0 ? [] : [`  rules     ${[...rules].join(", ")}`]),
    `  vectors   ${vectorsOfSite.length}: ${counts.map(([count, verdict]) => `${count} ${verdict}`).join(", ")}`,
    ...examplesOf(invalidVectors.length === 0 ? vectorsOfSite.filter(({ valid }) => valid) : invalidVectors),
    "",
    "To fix it: refuse only messages that break this assertion: the valid vectors show the messages to accept.",
    `  touchstone run ${calledBy(protocol)} --only ${quoteForShell(shortAssertion(site))} …`,
  ];
}
