import { isObject, type Json, type Observation, pointer } from "../../../schemas/index.ts";
import { skipByStatus } from "../../base/text/skips.ts";
import { coversStatus } from "./described-answers.ts";
import type { Read } from "./http-exchange.ts";

/** The depth of nesting at which common parsers give up; a parser may limit it (RFC 8259, 9). */
const maxLevels = 500;

/** Reads an answer of a described interface that may be an acceptance as well as a refusal; undefined for any other answer. */
export function readUndecided({ question, response, route, body, text }: Read): Observation | undefined {
  const { status } = response;
  if (route.described === undefined) return undefined;
  if (status >= 500 && levelsIn(question.text) >= maxLevels)
    return {
      kind: "declined",
      ...skipByStatus(status, "the server failed at a text with so many levels of nesting that it may refuse it", text),
    };
  if (status < 200 || status >= 300) return undefined;
  if (status === 207)
    return {
      kind: "remembered",
      ...skipByStatus(status, "each part has a status of its own in the body, and these statuses are not read", text),
    };
  const { named } = route.described.statuses ?? {};
  if (named === undefined) return undefined;
  const areErrorsNamed = Array.from({ length: 100 }, (_, index) => 400 + index).some((errorStatus) =>
    named.some((answer) => coversStatus(answer.status, errorStatus)),
  );
  const member = areErrorsNamed ? undefined : errorMemberIn(body);
  if (member === undefined) return undefined;
  const reason = `its body says by "${member.name}" that it is an error, and the document names no status for refusals, so that this may be one; if it is, say so in the configuration (${settingFor(member)})`;
  return { kind: "declined", ...skipByStatus(status, reason, text) };
}

/** Returns an upper bound on the depth of a JSON text; brackets in its strings are counted too. */
function levelsIn(text = ""): number {
  let level = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    level += bracket === "[" || bracket === "{" ? 1 : -1;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}

interface ErrorMember {
  name: string;
  /** The value that means an error; undefined if the presence of the member does. */
  value?: Json;
}

const flagNames = /^(is_?)?(ok|success(ful)?|succeeded)$/i;
const stateNames = /^(status|state|result|outcome|type)$/i;
const negativeWord = /^(error|err|fail(ed|ure)?|invalid|rejected|nok|ko)$/i;
const errorNames = /^(error|errors|err|fault|exception)$/i;

/** Finds the member of an answer that marks it as an error. */
function errorMemberIn(body: Json | undefined): ErrorMember | undefined {
  if (!isObject(body)) return undefined;
  const members = Object.entries(body);
  const member =
    members.find(([name, value]) => flagNames.test(name) && value === false) ??
    members.find(([name, value]) => stateNames.test(name) && typeof value === "string" && negativeWord.test(value));
  if (member !== undefined) return { name: member[0], value: member[1] };
  const [name] = members.find(([each, value]) => errorNames.test(each) && isNonEmpty(value)) ?? [];
  return name === undefined ? undefined : { name };
}

function isNonEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : typeof value === "string" && value !== "";
}

function settingFor({ name, value }: ErrorMember): string {
  const at = JSON.stringify(pointer.append("", name));
  return value === undefined
    ? `refusedWhen: { present: ${at} }`
    : `refusedWhen: { equal: { ${at}: ${JSON.stringify(value)} } }`;
}
