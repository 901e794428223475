import { createHash } from "node:crypto";
import {
  type Ending,
  type Expectation,
  type Json,
  type JsonObject,
  jsonOf,
  type Protocol,
  pointer,
  type ScenarioContext,
  type StepEntry,
  TargetFailure,
} from "../../../schemas/index.ts";
import { replaceValueAt } from "../../base/http/replacement.ts";
import { spotsAt, unmetPart } from "../../base/text/offered-features.ts";
import { quote } from "../../base/text/show.ts";
import { fillTemplate } from "../../base/text/template.ts";
import {
  closeChannel,
  endOf,
  type LiveStreams,
  nextArrival,
  nextItem,
  nextItems,
  openAddress,
  openSocket,
  openStream,
  type StepSubject,
  sendMessage,
  startCommand,
} from "./live.ts";

/** The maximum number of value combinations with which steps are run. */
export const maxCombinations = 1000;

/** Each combination of the values, up to one more than the limit, which shows that there are too many. */
export function combinationsOf(each: Readonly<Record<string, Json[]>>): JsonObject[] {
  let all: JsonObject[] = [{}];
  for (const [name, values] of Object.entries(each)) {
    const next: JsonObject[] = [];
    for (const before of all)
      next.push(...values.slice(0, maxCombinations + 1 - next.length).map((value) => ({ ...before, [name]: value })));
    all = next;
  }
  return all;
}

/** The state of a story while it is played. */
export interface PackStory {
  /** The values for templates. */
  kept: JsonObject;
  name: string;
  rules: readonly string[];
  /** Rules that do not bind the target: they are already reported as skipped. */
  unbound?: ReadonlySet<string>;
  judged: Set<string>;
  live: LiveStreams;
}

export function drawStory(context: ScenarioContext, name: string): Pick<PackStory, "kept" | "name"> {
  const fresh = context.fresh(name);
  return { kept: { fresh, token: tokenFrom(fresh) }, name };
}

/** Performs steps in turn, and returns whether the story continues. */
export async function takeAll(
  protocol: Protocol,
  context: ScenarioContext,
  steps: readonly StepEntry[],
  story: PackStory,
): Promise<boolean> {
  for (const step of steps) {
    if (step.each === undefined) {
      if (!(await take(protocol, context, step, story))) return false;
      continue;
    }
    for (const values of combinationsOf(step.each)) {
      const kept = { ...story.kept, ...drawStory(context, story.name).kept, ...values };
      if (!(await takeAll(protocol, context, step.steps ?? [], { ...story, kept }))) return false;
    }
  }
  return true;
}

/** Twelve lower-case letters and digits, beginning with a letter, that differ for each text. */
function tokenFrom(text: string): string {
  const digest = createHash("sha256").update(text).digest("hex");
  return `t${BigInt(`0x${digest}`).toString(36).slice(0, 11)}`;
}

/** An answer and its request. */
interface StoryAnswer extends StepSubject {
  /** The faults of the sent message, if a document has its path. */
  sent?: () => Promise<string | undefined>;
}

async function take(protocol: Protocol, context: ScenarioContext, step: StepEntry, story: PackStory): Promise<boolean> {
  const { kept, judged, rules, unbound } = story;
  if (await isDone(context, step, story)) return true;
  const answer = decodedIn(await answerTo(protocol, context, step, story), step.decode);
  if (step.unless !== undefined) {
    const { why, ...ending } = fillTemplate(step.unless as unknown as Json, kept) as unknown as Ending;
    if ((await firstWrong(context, ending, answer)) === undefined) {
      for (const rule of rules.filter((each) => !judged.has(each))) context.skip(rule, why);
      return false;
    }
  }
  for (const expectation of step.expect ?? []) {
    if (expectation.rule !== undefined && unbound?.has(expectation.rule)) continue;
    await judge(context, expectation, answer, kept);
    if (expectation.rule !== undefined) judged.add(expectation.rule);
  }
  for (const [name, valueAt] of Object.entries(step.save ?? {})) {
    if (typeof valueAt !== "string") {
      kept[name] = headerIn(answer, valueAt.header);
      continue;
    }
    const there = answer.json === undefined ? undefined : pointer.at(valueAt, answer.json);
    if (there === undefined)
      throw missingPart(`there is nothing at "${valueAt}" of the answer to save as ${name}`, answer);
    kept[name] = there;
  }
  return true;
}

/** Performs a step without an answer; returns false for any other. */
async function isDone(context: ScenarioContext, step: StepEntry, { kept, live }: PackStory): Promise<boolean> {
  const { pass, receive, start, tell, close } = step;
  if (pass !== undefined) await context.pass(pass);
  else if (receive !== undefined) kept[receive] = await openAddress(context, receive, step.answers, live);
  else if (start !== undefined) await startCommand(context, start, live);
  else if (tell !== undefined) sendMessage(tell, fillTemplate(step.message ?? null, kept), live);
  else if (close !== undefined) closeChannel(close, step.code, live);
  else return false;
  return true;
}

/** An answer with the texts at some places replaced by the JSON that they contain; a text without JSON stays. */
function decodedIn(answer: StoryAnswer, decode: StepEntry["decode"] = {}): StoryAnswer {
  let { json } = answer;
  for (const [place, encoding] of Object.entries(decode)) {
    const text = json === undefined ? undefined : pointer.at(place, json);
    if (json === undefined || typeof text !== "string") continue;
    const inner = jsonOf(encoding === "json" ? text : Buffer.from(text, encoding).toString("utf8"));
    if (inner !== undefined) json = replaceValueAt(json, place, () => inner);
  }
  return { ...answer, json };
}

/** The value of a header to save. Throws if the answer does not have it. */
function headerIn(answer: StoryAnswer, name: string): string {
  const value = answer.headers?.[name.toLowerCase()];
  if (value === undefined) throw missingPart(`the answer has no header ${name} to save`, answer);
  return value;
}

async function answerTo(
  protocol: Protocol,
  context: ScenarioContext,
  step: StepEntry,
  { kept, live }: PackStory,
): Promise<StoryAnswer> {
  const { send, hook, with: given = {}, stream, socket, next, until, count, end, arrival, withinMs } = step;
  if (next !== undefined) {
    const wanted = fillTemplate((until ?? {}) as Json, kept) as Ending;
    const isMeant = async (item: StepSubject): Promise<boolean> =>
      (await firstWrong(context, wanted, decodedIn(item, count === undefined ? step.decode : {}))) === undefined;
    const take = (within: number | undefined): Promise<StepSubject> => nextItem(next, within, isMeant, live);
    return count === undefined ? take(withinMs) : nextItems(count, withinMs, take);
  }
  if (end !== undefined) return endOf(end, withinMs, live);
  if (arrival !== undefined) return nextArrival(context, arrival, withinMs, live);
  if (hook !== undefined) {
    const json = await context.hook(hook, fillTemplate(given, kept) as JsonObject);
    return { json, text: JSON.stringify(json) };
  }
  const { method = "POST", ...request } = fillTemplate((send ?? {}) as Json, kept) as unknown as NonNullable<
    StepEntry["send"]
  >;
  if (stream !== undefined) return mustSay(step, await openStream(context, stream, { method, ...request }, live));
  if (socket !== undefined) return mustSay(step, await openSocket(context, socket, request, live));
  const { base64, ...others } = request;
  const bytes = base64 === undefined ? {} : { bytes: Buffer.from(base64, "base64") };
  const answer = await context.send({ method, ...others, ...bytes });
  return { ...answer, sent: () => faultIn(protocol, context, { method, ...request }) };
}

/** Throws if a stream or a socket was refused and the step expects no status: otherwise the missing items would count against the target. */
function mustSay({ expect = [], unless, socket }: StepEntry, answer: StepSubject): StepSubject {
  const isRefused = socket === undefined ? (answer.status ?? 0) >= 300 : answer.status !== 101;
  if (isRefused && unless?.status === undefined && expect.every(({ status }) => status === undefined))
    throw missingPart(`it was refused with status ${answer.status}`, answer);
  return answer;
}

/** The faults of a request's body by the first document of its path; undefined if some document finds none. */
async function faultIn(
  { profile }: Protocol,
  context: ScenarioContext,
  { method, path, body }: Pick<NonNullable<StepEntry["send"]>, "method" | "path" | "body">,
): Promise<string | undefined> {
  const own = profile.documents.filter(({ endpoint }) => endpoint?.path === path && endpoint.method === method);
  if (body === undefined) return undefined;
  const faults: string[] = [];
  for (const { name } of own) {
    const first = (await context.violations(name, body)).find(({ level }) => level === "MUST");
    if (first === undefined) return undefined;
    faults.push(`the scenario sends no right ${name}: ${first.at === "" ? "" : `"${first.at}" `}${first.why}`);
  }
  return faults[0];
}

async function judge(
  context: ScenarioContext,
  expectation: Expectation,
  answer: StoryAnswer,
  kept: JsonObject,
): Promise<void> {
  const { rule, why } = expectation;
  const wanted = fillTemplate(expectation as unknown as Json, kept) as Expectation;
  const unmet = await firstWrong(context, wanted, answer);
  const isUntold = answer.isMissing === true && unmet?.includes(answer.text) === false;
  const wrong = isUntold ? `${answer.text}: ${unmet}` : unmet;
  // A target is right to refuse an invalid message that the scenario wanted it to accept.
  const isRefused = wrong !== undefined && (answer.status ?? 0) >= 400 && wanted.status?.every((each) => each < 300);
  const fault = isRefused === true ? await answer.sent?.() : undefined;
  if (fault !== undefined) throw missingPart(fault, answer);
  if (rule === undefined) {
    if (wrong !== undefined) throw missingPart(why ?? wrong, answer);
  } else context.expect(rule, wrong === undefined, `${why ?? wrong}${why === undefined ? "" : `: ${wrong}`}`);
}

/** The first unmet expectation, in words. */
async function firstWrong(
  context: ScenarioContext,
  { status, valid, at: part = "", headers = {}, ...conditions }: Omit<Expectation, "rule">,
  { status: answered, headers: given = {}, json, text }: StoryAnswer,
): Promise<string | undefined> {
  const showValue = (value: Json | undefined): string =>
    value === undefined ? "nothing" : quote(JSON.stringify(value));
  if (status !== undefined && (answered === undefined || !status.includes(answered)))
    return `the status is ${answered ?? "none"}, not ${status.join(" or ")}: ${quote(text)}`;
  const wrong = unmetPart(conditions, json, text);
  if (wrong !== undefined) return wrong;
  for (const [name, pattern] of Object.entries(headers)) {
    const value = given[name.toLowerCase()];
    if (value === undefined || !new RegExp(pattern, "u").test(value))
      return `the header ${name} is ${showValue(value)}, which does not match ${pattern}`;
  }
  if (valid === undefined) return undefined;
  if (json === undefined) return `the answer is not JSON: ${quote(text)}`;
  const spots = spotsAt(part, json);
  if (spots.length === 0) return `the answer has no value at "${part}": ${quote(text)}`;
  for (const { at, value } of spots) {
    if (value === undefined) return `the answer has no value at "${at}": ${quote(text)}`;
    const [first] = await context.violations(valid, value);
    if (first !== undefined)
      return `it is not a valid ${valid}: ${first.at === "" ? "" : `"${first.at}" `}${first.why}`;
  }
  return undefined;
}

function missingPart(why: string, { text }: StoryAnswer): TargetFailure {
  return new TargetFailure("errored", "step", `${why}; the answer was ${quote(text)}`);
}
