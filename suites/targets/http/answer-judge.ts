import {
  type AnswerBreach,
  brokenRule,
  type DescribedStatuses,
  type Endpoint,
  type Json,
  jsonOf,
  type Protocol,
  pointer,
} from "../../../schemas/index.ts";
import type { Response } from "../../base/http/send.ts";
import { truncate } from "../../base/text/escape.ts";
import { type BrokenPromise, type Promised, promisesOf } from "../broken-promises.ts";
import { headerFault } from "./answer-headers.ts";
import { coversStatus } from "./described-answers.ts";
import { itemsIn } from "./items.ts";

/** Judges the bodies and headers of answers by their description. */
export interface AnswerJudge {
  /** Loads the modules for judging, and compiles the first schema: that can exceed the time limit of a request. */
  ready?(): Promise<void>;
  /** The fault of an answer; undefined if it has none, or is not described. `isChosen` says that the server refuses every invalid message with this status, so it must be a described one. */
  breach(response: Response, endpoint: Endpoint, isChosen?: boolean): Promise<AnswerBreach | undefined>;
}

/** Makes the judge; each schema is compiled when it is first needed. */
export function answerJudge(protocol: Protocol): AnswerJudge {
  const judgeOf = promisesOf(protocol);
  // A header that is not read is not missing; missing headers can be seen without the schema.
  const ofHeaders = (id: string): ReturnType<typeof judgeOf> =>
    promisesOf({
      ...protocol,
      schemas: protocol.schemas.map(({ required, ...each }) =>
        each.$id === id || required === undefined ? each : { ...each, required },
      ),
    })(id);
  const judges = new Map<string, ReturnType<typeof judgeOf>>();
  const judgeFor = (name: string, of = judgeOf): ReturnType<typeof judgeOf> | undefined => {
    const document = protocol.profile.documents.find((each) => each.name === name);
    const judge = judges.get(name) ?? (document && of(document.schema));
    if (judge !== undefined) judges.set(name, judge);
    return judge;
  };
  return {
    async ready() {
      const described = protocol.profile.documents.flatMap(({ endpoint }) => endpoint?.described?.answers ?? []);
      const [first] = described;
      if (first !== undefined) await judgeFor(first.document);
    },
    async breach({ status, headers, body, isPartial, isGarbled }, { method, described }, isChosen = false) {
      const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
      if (described === undefined) return undefined;
      // `default` is for statuses that are not declared, even without a schema.
      const best = bestOf<{ status: string }>(described.statuses?.named ?? described.answers, status);
      const ofStatus = described.answers.filter((answerSchema) => answerSchema.status === best?.status);
      // Without a media type, the only described one is assumed.
      const answer =
        type === "" && ofStatus.length === 1
          ? ofStatus[0]
          : ofStatus.find((answerSchema) => isOf(answerSchema.type, type));
      const isBodyWanted = method !== "HEAD" && status < 300 && ofStatus.length > 0;
      const unnamed = unnamedIn({ status, type, body }, described, { isChosen, method, isBodyWanted });
      const judge = answer === undefined || body === "" ? undefined : await judgeFor(answer.document);
      const [wrong, value] = judge === undefined ? [] : judgeWith(judge, { type, body, isPartial }, answer?.items);
      const wrongBody = wrong ?? (judge !== undefined && isGarbled ? notUtf8 : undefined);
      const wrongHeader = await headersBreach({ status, headers }, described, (name) => judgeFor(name, ofHeaders));
      const breaches = [
        wrongBody &&
          breachOf(described.rule, `the body of the answer (HTTP ${status}) is not as described`, wrongBody, value),
        wrongHeader,
        unnamed,
      ].filter((each) => each !== undefined);
      return breaches.find(({ level }) => level === "MUST") ?? breaches[0];
    },
  };
}

/** The fault in the headers of an answer; undefined if there is none, or no description of them. */
async function headersBreach(
  { status, headers }: Pick<Response, "status" | "headers">,
  { headers: described, statuses }: Described,
  judgeHeaders: (document: string) => Parameters<typeof headerFault>[2] | Promise<Parameters<typeof headerFault>[2]>,
): Promise<AnswerBreach | undefined> {
  const best = bestOf(statuses?.named ?? [], status);
  const answer = described?.answers.find((each) => each.status === best?.status);
  if (described === undefined || answer === undefined) return undefined;
  const headerBreach = headerFault(headers, answer.headers, await judgeHeaders(answer.document));
  return (
    headerBreach &&
    breachOf(described.rule, `the headers of the answer (HTTP ${status}) are not as described`, headerBreach)
  );
}

/** The fault of a body, or of the first faulty item of a stream, and the value at fault. */
function judgeWith(
  judge: Promised,
  { type, body, isPartial = false }: { type: string; body: string; isPartial: boolean | undefined },
  areItems = false,
): [BrokenPromise?, Json?] {
  const items = areItems ? itemsIn(type, body, isPartial) : [jsonOf(body)];
  for (const [index, item] of (items ?? []).entries()) {
    const wrong = item === undefined ? notJson : judge(item);
    if (wrong === undefined) continue;
    const { at = "", message = "its schema refuses it" } = wrong.reason;
    const namedItem = `item ${index + 1} of the stream${at === "" ? "" : `, ${at}`}: ${message}`;
    const finding = areItems ? { ...wrong, reason: { ...wrong.reason, message: namedItem } } : wrong;
    return item === undefined ? [finding] : [finding, item];
  }
  return [];
}

/** The maximum characters of a body that are shown. */
const maxShown = 120;

type Described = NonNullable<Endpoint["described"]>;

/** The breach, with the wrong part of the value, shortened. */
function breachOf(rule: string, what: string, { level, reason }: BrokenPromise, value?: Json): AnswerBreach {
  const { at = "", message = "its schema refuses it" } = reason;
  const part = value === undefined ? undefined : pointer.at(at, value);
  const shownPart = part === undefined ? "" : `; it is ${truncate(JSON.stringify(part), maxShown)}`;
  return brokenRule(rule, `${what}: ${at === "" ? "" : `${at}: `}${message}${shownPart}`, level);
}

/** An exact status precedes its class, and that precedes `default`. */
function bestOf<T extends { status: string }>(candidates: readonly T[], status: number): T | undefined {
  return candidates
    .filter((each) => coversStatus(each.status, status))
    .sort((a, b) => rank(a.status) - rank(b.status))[0];
}

/** The sent bytes may not be UTF-8 either, and may be repeated in the answer. */
const notUtf8: BrokenPromise = { level: "SHOULD", reason: { message: "it is not UTF-8 (RFC 8259, 8.1)" } };
const notJson: BrokenPromise = { level: "MUST", reason: { message: "it is not JSON" } };

/** Refusals that operations rarely give and documents rarely describe: they come from a server's framework or a proxy. */
const common = new Set([400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 414, 415, 422, 423, 424, 428, 429, 431, 451]);

/** Reports a status or media type that the description does not name for the operation. Reports nothing if the description names no success, or, for refusals, if it names no refusal: its author left these out. */
function unnamedIn(
  { status, type, body }: { status: number; type: string; body: string },
  { statuses, rule: ofBodies }: Described,
  { isChosen, method, isBodyWanted }: { isChosen: boolean; method: Endpoint["method"]; isBodyWanted: boolean },
): AnswerBreach | undefined {
  if (statuses === undefined || status < 200 || (status >= 300 && status < 400) || status >= 500) return undefined;
  const { rule, named: namedItem } = statuses;
  const best = bestOf(namedItem, status);
  const first = String(status)[0] as string;
  const sameClass = namedItem.filter((each) => each.status.startsWith(first)).map((each) => each.status);
  if (best === undefined)
    return sameClass.length === 0 || (common.has(status) && !isChosen)
      ? undefined
      : brokenRule(rule, `status ${status} is not documented: there is ${sameClass.join(", ")}`, "SHOULD");
  const expectedTypes = `there is ${best.types.join(", ")}`;
  const isNamed = best.types.length === 0 || best.types.some((each) => isOf(each, type) || isRange(each, type));
  if (body === "" && method !== "HEAD" && wantsBody(best, status)) {
    const what = `HTTP ${status} has no body: ${expectedTypes}`;
    return isBodyWanted ? brokenRule(ofBodies, what) : brokenRule(rule, what, "SHOULD");
  }
  if (body === "" || isNamed) return undefined;
  // RFC 9110, 8.3: it should be present.
  if (type === "")
    return brokenRule(rule, `the answer (HTTP ${status}) has no Content-Type: ${expectedTypes}`, "SHOULD");
  const what = `the media type ${type} is not documented for status ${status}: ${expectedTypes}`;
  // A client that follows the document cannot read a body that is not JSON.
  const isUnread = status < 300 && !/[/+]json$/.test(type) && wantsBody(best, status);
  return isUnread ? brokenRule(ofBodies, what) : brokenRule(rule, what, "SHOULD");
}

/** Whether an answer is described with a body that cannot be empty. */
function wantsBody({ status: documented, types }: DescribedStatuses["named"][number], status: number): boolean {
  const isOfStatus = documented !== "default" && status !== 204 && status !== 205;
  return isOfStatus && types.length > 0 && types.every((type) => /[/+]json$/i.test(type.split(";")[0]?.trim() ?? ""));
}

function isRange(documented: string, type: string): boolean {
  const [kind, subtype] = documented.split(";")[0]?.trim().toLowerCase().split("/") ?? [];
  return subtype === "*" && (kind === "*" || type.startsWith(`${kind}/`));
}

function rank(status: string): number {
  return status === "default" ? 2 : status.endsWith("XX") ? 1 : 0;
}

/** Whether a media type matches the documented one, which may contain wildcards. */
function isOf(documented: string, type: string): boolean {
  const wantedType = documented.split(";")[0]?.trim().toLowerCase() ?? "";
  return wantedType === type || (wantedType.includes("*") && /[/+]json$/.test(type));
}
