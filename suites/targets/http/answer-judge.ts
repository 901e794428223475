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
import { type BrokenPromise, createPromiseChecks, type PromiseCheck } from "../broken-promises.ts";
import { headerFault } from "./answer-headers.ts";
import { coversStatus } from "./described-answers.ts";
import { itemsIn } from "./items.ts";

/** Judges the bodies and headers of answers by their description. */
export interface AnswerJudge {
  /** Loads the modules for judging and compiles the first schema in advance, because that may take longer than a request. */
  ready?(): Promise<void>;
  /** Returns the breach by an answer; undefined if there is none, or if the answer is not described. `isChosen` means that the server refuses every invalid message with this status, so it must be a described one. */
  breach(response: Response, endpoint: Endpoint, isChosen?: boolean): Promise<AnswerBreach | undefined>;
}

/** Creates a judge. Each schema is compiled when it is first needed. */
export function answerJudge(protocol: Protocol): AnswerJudge {
  const judgeOf = createPromiseChecks(protocol);
  // A header that could not be parsed is not missing. Missing headers are detected without the schema.
  const headerJudgeOf = (id: string): ReturnType<typeof judgeOf> =>
    createPromiseChecks({
      ...protocol,
      schemas: protocol.schemas.map(({ required, ...schema }) =>
        schema.$id === id || required === undefined ? schema : { ...schema, required },
      ),
    })(id);
  const judges = new Map<string, ReturnType<typeof judgeOf>>();
  const judgeFor = (name: string, createJudge = judgeOf): ReturnType<typeof judgeOf> | undefined => {
    const document = protocol.profile.documents.find((candidate) => candidate.name === name);
    const judge = judges.get(name) ?? (document && createJudge(document.schema));
    if (judge !== undefined) judges.set(name, judge);
    return judge;
  };
  return {
    async ready() {
      const described = protocol.profile.documents.flatMap(({ endpoint }) => endpoint?.described?.answers ?? []);
      const [firstAnswer] = described;
      if (firstAnswer !== undefined) await judgeFor(firstAnswer.document);
    },
    async breach({ status, headers, body, isPartial, isGarbled }, { method, described }, isChosen = false) {
      const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
      if (described === undefined) return undefined;
      // `default` is for statuses that are not declared, even without a schema.
      const documentedStatus = bestOf<{ status: string }>(described.statuses?.named ?? described.answers, status);
      const statusAnswers = described.answers.filter(
        (answerSchema) => answerSchema.status === documentedStatus?.status,
      );
      // Without a media type, the only described one is assumed.
      const answer =
        type === "" && statusAnswers.length === 1
          ? statusAnswers[0]
          : statusAnswers.find((answerSchema) => matchesType(answerSchema.type, type));
      const isBodyWanted = method !== "HEAD" && status < 300 && statusAnswers.length > 0;
      const undocumented = undocumentedBreach({ status, type, body }, described, { isChosen, method, isBodyWanted });
      const judge = answer === undefined || body === "" ? undefined : await judgeFor(answer.document);
      const [fault, value] = judge === undefined ? [] : judgeWith(judge, { type, body, isPartial }, answer?.items);
      const bodyFault = fault ?? (judge !== undefined && isGarbled ? notUtf8 : undefined);
      const headersFault = await headersBreach({ status, headers }, described, (name) => judgeFor(name, headerJudgeOf));
      const breaches = [
        bodyFault &&
          breachOf(described.rule, `the body of the answer (HTTP ${status}) is not as described`, bodyFault, value),
        headersFault,
        undocumented,
      ].filter((breach) => breach !== undefined);
      return breaches.find(({ level }) => level === "MUST") ?? breaches[0];
    },
  };
}

/** Returns the breach by the headers of an answer; undefined if there is none, or if they are not described. */
async function headersBreach(
  { status, headers }: Pick<Response, "status" | "headers">,
  { headers: described, statuses }: Described,
  judgeHeaders: (document: string) => Parameters<typeof headerFault>[2] | Promise<Parameters<typeof headerFault>[2]>,
): Promise<AnswerBreach | undefined> {
  const documentedStatus = bestOf(statuses?.named ?? [], status);
  const answer = described?.answers.find((candidate) => candidate.status === documentedStatus?.status);
  if (described === undefined || answer === undefined) return undefined;
  const headerBreach = headerFault(headers, answer.headers, await judgeHeaders(answer.document));
  return (
    headerBreach &&
    breachOf(described.rule, `the headers of the answer (HTTP ${status}) are not as described`, headerBreach)
  );
}

/** Returns the fault of a body, or of the first faulty item of a stream, and the value at fault. */
function judgeWith(
  judge: PromiseCheck,
  { type, body, isPartial = false }: { type: string; body: string; isPartial: boolean | undefined },
  areItems = false,
): [BrokenPromise?, Json?] {
  const items = areItems ? itemsIn(type, body, isPartial) : [jsonOf(body)];
  for (const [index, item] of (items ?? []).entries()) {
    const fault = item === undefined ? notJson : judge(item);
    if (fault === undefined) continue;
    const { at = "", message = "its schema refuses it" } = fault.reason;
    const namedItem = `item ${index + 1} of the stream${at === "" ? "" : `, ${at}`}: ${message}`;
    const finding = areItems ? { ...fault, reason: { ...fault.reason, message: namedItem } } : fault;
    return item === undefined ? [finding] : [finding, item];
  }
  return [];
}

/** Maximum number of characters shown of a body. */
const maxShown = 120;

type Described = NonNullable<Endpoint["described"]>;

/** Creates a breach that shows the beginning of the wrong part of the value. */
function breachOf(rule: string, what: string, { level, reason }: BrokenPromise, value?: Json): AnswerBreach {
  const { at = "", message = "its schema refuses it" } = reason;
  const part = value === undefined ? undefined : pointer.at(at, value);
  const shownPart = part === undefined ? "" : `; it is ${truncate(JSON.stringify(part), maxShown)}`;
  return brokenRule(rule, `${what}: ${at === "" ? "" : `${at}: `}${message}${shownPart}`, level);
}

/** Chooses the most specific description of a status: the exact status, then its class, then `default`. */
function bestOf<T extends { status: string }>(candidates: readonly T[], status: number): T | undefined {
  return candidates
    .filter((candidate) => coversStatus(candidate.status, status))
    .sort((a, b) => rank(a.status) - rank(b.status))[0];
}

/** The sent bytes may not be UTF-8 either, and may be repeated in the answer. */
const notUtf8: BrokenPromise = { level: "SHOULD", reason: { message: "it is not UTF-8 (RFC 8259, 8.1)" } };
const notJson: BrokenPromise = { level: "MUST", reason: { message: "it is not JSON" } };

/** Refusals that operations rarely give and documents rarely describe: they come from a server's framework or a proxy. */
const commonRefusals = new Set([
  400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 414, 415, 422, 423, 424, 428, 429, 431, 451,
]);

/** Reports a status or media type that the description does not name for the operation. If the description does not name any success, or any refusal, its author left these out, and none of them is reported. */
function undocumentedBreach(
  { status, type, body }: { status: number; type: string; body: string },
  { statuses, rule: ofBodies }: Described,
  { isChosen, method, isBodyWanted }: { isChosen: boolean; method: Endpoint["method"]; isBodyWanted: boolean },
): AnswerBreach | undefined {
  if (statuses === undefined || status < 200 || (status >= 300 && status < 400) || status >= 500) return undefined;
  const { rule, named: documented } = statuses;
  const covering = bestOf(documented, status);
  const firstDigit = String(status)[0] as string;
  const sameClass = documented
    .filter((candidate) => candidate.status.startsWith(firstDigit))
    .map((candidate) => candidate.status);
  if (covering === undefined)
    return sameClass.length === 0 || (commonRefusals.has(status) && !isChosen)
      ? undefined
      : brokenRule(rule, `status ${status} is not documented: there is ${sameClass.join(", ")}`, "SHOULD");
  const expectedTypes = `there is ${covering.types.join(", ")}`;
  const isNamed =
    covering.types.length === 0 ||
    covering.types.some((documentedType) => matchesType(documentedType, type) || isRange(documentedType, type));
  if (body === "" && method !== "HEAD" && wantsBody(covering, status)) {
    const what = `HTTP ${status} has no body: ${expectedTypes}`;
    return isBodyWanted ? brokenRule(ofBodies, what) : brokenRule(rule, what, "SHOULD");
  }
  if (body === "" || isNamed) return undefined;
  // By RFC 9110, 8.3, Content-Type should be present.
  if (type === "")
    return brokenRule(rule, `the answer (HTTP ${status}) has no Content-Type: ${expectedTypes}`, "SHOULD");
  const what = `the media type ${type} is not documented for status ${status}: ${expectedTypes}`;
  // A client that follows the document cannot read a body that is not JSON.
  const isUnreadable = status < 300 && !/[/+]json$/.test(type) && wantsBody(covering, status);
  return isUnreadable ? brokenRule(ofBodies, what) : brokenRule(rule, what, "SHOULD");
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
  if (status === "default") return 2;
  return status.endsWith("XX") ? 1 : 0;
}

/** Whether a media type matches the documented one, which may contain wildcards. */
function matchesType(documented: string, type: string): boolean {
  const wantedType = documented.split(";")[0]?.trim().toLowerCase() ?? "";
  return wantedType === type || (wantedType.includes("*") && /[/+]json$/.test(type));
}
