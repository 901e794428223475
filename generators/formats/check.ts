import * as hyperjump from "@hyperjump/json-schema-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { isIdnHostname } from "idn-hostname";
import { ownMember } from "../../schemas/index.ts";
import { runQuietly } from "./quiet-library.ts";

type FormatTest = (text: string) => boolean;

/** The formats of the standard, as Hyperjump judges them. */
const hyperjumpTests: Record<string, FormatTest | undefined> = {
  date: hyperjump.isDate,
  time: hyperjump.isTime,
  "date-time": hyperjump.isDateTime,
  duration: hyperjump.isDuration,
  email: hyperjump.isEmail,
  "idn-email": (text) => runQuietly(() => hyperjump.isIdnEmail(text)),
  hostname: (text) => hyperjump.isHostname(text) && isIdnName(text),
  "idn-hostname": isIdnName,
  ipv4: hyperjump.isIPv4,
  ipv6: hyperjump.isIPv6,
  uri: hyperjump.isUri,
  "uri-reference": hyperjump.isUriReference,
  iri: hyperjump.isIri,
  "iri-reference": hyperjump.isIriReference,
  uuid: hyperjump.isUuid,
  "uri-template": hyperjump.isUriTemplate,
  "json-pointer": hyperjump.isJsonPointer,
  "relative-json-pointer": hyperjump.isRelativeJsonPointer,
  regex: hyperjump.isRegex,
};

/** Checks a name as Hyperjump's library does, but without printing each refusal. */
function isIdnName(text: string): boolean {
  if (/[.\uff0e\u3002\uff61]$/.test(text)) return false;
  try {
    return isIdnHostname(text);
  } catch {
    return false;
  }
}

/** Returns the verdict of ajv-formats. Undefined for formats that it does not assert. */
function checkCommonFormat(format: string, text: string): boolean | undefined {
  if (!Object.hasOwn(fullFormats, format)) return undefined;
  const formatDefinition = (fullFormats as Record<string, unknown>)[format];
  if (formatDefinition === undefined || formatDefinition === true) return undefined;
  if (formatDefinition instanceof RegExp) return formatDefinition.test(text);
  if (typeof formatDefinition === "function") return (formatDefinition as FormatTest)(text);
  const definition = formatDefinition as { type?: string; validate: RegExp | FormatTest };
  if (definition.type === "number") return undefined;
  return definition.validate instanceof RegExp ? definition.validate.test(text) : definition.validate(text);
}

/** Whether the standard defines the format. Other formats, such as `url`, are ignored, because only some validators assert them. */
export function isAsserted(format: string): boolean {
  return Object.hasOwn(hyperjumpTests, format);
}

/** Results cached for a format. Only short strings are cached, which instances made from each other share. */
const maxCached = 5000;
const longestCached = 200;
const cachedResults = new Map<string, Map<string, boolean | undefined>>();

/** Returns true or false if all implementations that know the format agree; `undefined` if they differ. An unknown format is always valid. */
export function formatHolds(format: string, text: string): boolean | undefined {
  if (!isAsserted(format)) return true;
  if (text.length > longestCached) return vote(format, text);
  let results = cachedResults.get(format);
  if (results === undefined) {
    results = new Map();
    cachedResults.set(format, results);
  }
  const cached = results.get(text);
  if (cached !== undefined || results.has(text)) return cached;
  if (results.size >= maxCached) results.clear();
  const result = vote(format, text);
  results.set(text, result);
  return result;
}

function vote(format: string, text: string): boolean | undefined {
  const votes = [checkCommonFormat(format, text), ownMember(hyperjumpTests, format)?.(text)].filter(
    (each) => each !== undefined,
  );
  return votes.every((each) => each === votes[0]) ? votes[0] : undefined;
}
