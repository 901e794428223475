import {
  type Document,
  type Freshness,
  type Json,
  type Protocol,
  pointer,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import { type Fitting, makeFreshValue } from "./fresh-values.ts";

/** The number of messages that are searched for the member, and the number of values that must differ. */
const maxMessages = 300;
const maxValues = 64;

/** Creates functions, by document, that find values for the fresh members of a pack's profile. The schemas accept these values, and they do not break a rule of the pack. Throws a usage error for a member if its schema does not accept any fresh value. */
export async function fittingsOf(protocol: Protocol, now: number): Promise<Map<string, Fitting>> {
  const fittings = new Map<string, Fitting>();
  for (const document of protocol.profile.documents) {
    const entries = (document.fresh ?? []).filter(
      ({ in: part, make: kind }) => part !== "carrier" && kind !== "signature",
    );
    if (entries.length === 0) continue;
    const { compileModel, fresherFor, randomFrom, samplerFor } = await import("../../../generators/index.ts");
    const model = await compileModel(protocol.schemas, document.schema);
    const createFitting =
      (fresher: ReturnType<typeof fresherFor>): Fitting =>
      (message, { at, make: kind, prefix = "" }, value, seed) =>
        // A schema cannot supply a time near now.
        fresher(message, { at, value, prefix, seed, fixed: kind === "date-time" || kind === "unix-time" });
    const { samples = [] } = document;
    const sampler = samplerFor(model, { samples });
    const random = randomFrom(1);
    const messages = [...samples, ...Array.from({ length: maxMessages }, () => sampler.next(random))];
    const schemaFitting = createFitting(fresherFor(model));
    for (const entry of entries) requireFreshValues(document, entry, { messages, fitting: schemaFitting, now });
    fittings.set(document.name, createFitting(fresherFor(model, await breachesIn(protocol, document))));
  }
  return fittings;
}

/** Returns a function that lists the rules of the pack that a message breaks once it is signed. */
async function breachesIn(protocol: Protocol, document: Document): Promise<(message: Json) => string[]> {
  const [{ breachesOf }, { ruled }] = await Promise.all([
    import("../../../generators/index.ts"),
    import("../../packs/pack/load.ts"),
  ]);
  const withRules = await ruled(protocol);
  const breaches = breachesOf(withRules, document);
  const { seal = (message: Json): Json => message } = withRules;
  return (message) => breaches(seal(message));
}

function requireFreshValues(
  document: Document,
  entry: Freshness,
  { messages, fitting, now }: { messages: readonly Json[]; fitting: Fitting; now: number },
): void {
  const { at, make: kind } = entry;
  const type = kind === "unix-time" ? "number" : "string";
  const message = messages.find((candidate) => typeof pointer.at(at, candidate) === type);
  if (message === undefined) return;
  const values = Array.from(
    { length: maxValues },
    (_, seed) => fitting(message, entry, makeFreshValue(entry, seed, now), seed)?.value,
  );
  const distinctValues = new Set(values.filter((value) => value !== undefined));
  const isTime = kind === "date-time" || kind === "unix-time";
  if (!values.includes(undefined) && (isTime || distinctValues.size === maxValues)) return;
  const quotedValue = quote(String(makeFreshValue(entry, 0, now)));
  throw new TouchstoneError(
    "usage",
    distinctValues.size === 0
      ? `${at} of ${document.name} cannot be made fresh: the schema refuses ${quotedValue} there, and no other value of this kind was found`
      : `${at} of ${document.name} cannot be made fresh: only ${distinctValues.size} of ${maxValues} generated values are different`,
    { hint: `change its entry in the profile (documents → ${document.name} → fresh), or remove the entry` },
  );
}
