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
import { findUnmetCondition, valuesAt } from "../../base/text/offered-features.ts";
import { quote } from "../../base/text/show.ts";
import { fillTemplate } from "../../base/text/template.ts";
import {
  closeChannel,
  type LiveStreams,
  nextArrival,
  nextItem,
  nextItems,
  openAddress,
  openSocket,
  openStream,
  readToEnd,
  type StepSubject,
  sendMessage,
  startCommand,
} from "./streams.ts";

/** The most combinations of values that steps are run with. */
export const maxCombinations = 1000;

/** All combinations of the values, up to one more than the limit, which is enough to see that there are too many. */
export function combinationsOf(each: Readonly<Record<string, Json[]>>): JsonObject[] {
  let combinations: JsonObject[] = [{}];
  for (const [name, values] of Object.entries(each)) {
    const extended: JsonObject[] = [];
    for (const combination of combinations)
      extended.push(
        ...values.slice(0, maxCombinations + 1 - extended.length).map((value) => ({ ...combination, [name]: value })),
      );
    combinations = extended;
  }
  return combinations;
}

/** The state of a scenario of steps while it is played. */
export interface PlayState {
  /** The values for templates. */
  savedValues: JsonObject;
  name: string;
  rules: readonly string[];
  /** Rules that do not bind the target: they are already reported as skipped. */
  unbound?: ReadonlySet<string>;
  judgedRules: Set<string>;
  streams: LiveStreams;
}

export function newState(context: ScenarioContext, name: string): Pick<PlayState, "savedValues" | "name"> {
  const fresh = context.fresh(name);
  return { savedValues: { fresh, token: tokenFrom(fresh) }, name };
}

/** Performs steps in turn, and returns whether the scenario continues. */
export async function playSteps(
  protocol: Protocol,
  context: ScenarioContext,
  steps: readonly StepEntry[],
  state: PlayState,
): Promise<boolean> {
  for (const step of steps) {
    if (step.each === undefined) {
      if (!(await playStep(protocol, context, step, state))) return false;
      continue;
    }
    for (const values of combinationsOf(step.each)) {
      const kept = { ...state.savedValues, ...newState(context, state.name).savedValues, ...values };
      if (!(await playSteps(protocol, context, step.steps ?? [], { ...state, savedValues: kept }))) return false;
    }
  }
  return true;
}

/** A token of twelve lower-case letters and digits that begins with a letter and is different for each text. */
function tokenFrom(text: string): string {
  const digest = createHash("sha256").update(text).digest("hex");
  return `t${BigInt(`0x${digest}`).toString(36).slice(0, 11)}`;
}

/** The answer to a step, with the faults of its request. */
interface StepAnswer extends StepSubject {
  /** The faults of the sent message, if a document has its path. */
  requestFault?: () => Promise<string | undefined>;
}

async function playStep(
  protocol: Protocol,
  context: ScenarioContext,
  step: StepEntry,
  state: PlayState,
): Promise<boolean> {
  const { savedValues: kept, judgedRules: judged, rules, unbound } = state;
  if (await performWithoutAnswer(context, step, state)) return true;
  const answer = decodeTexts(await readAnswer(protocol, context, step, state), step.decode);
  if (step.unless !== undefined) {
    const { why, ...ending } = fillTemplate(step.unless as unknown as Json, kept) as unknown as Ending;
    if ((await firstUnmet(context, ending, answer)) === undefined) {
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
    const saved = answer.json === undefined ? undefined : pointer.at(valueAt, answer.json);
    if (saved === undefined)
      throw stepFailure(`there is nothing at "${valueAt}" of the answer to save as ${name}`, answer);
    kept[name] = saved;
  }
  return true;
}

/** Performs a step that has no answer; returns false for any other step. */
async function performWithoutAnswer(
  context: ScenarioContext,
  step: StepEntry,
  { savedValues: kept, streams: live }: PlayState,
): Promise<boolean> {
  const { pass, receive, start, tell, close } = step;
  if (pass !== undefined) await context.pass(pass);
  else if (receive !== undefined) kept[receive] = await openAddress(context, receive, step.answers, live);
  else if (start !== undefined) await startCommand(context, start, live);
  else if (tell !== undefined) sendMessage(tell, fillTemplate(step.message ?? null, kept), live);
  else if (close !== undefined) closeChannel(close, step.code, live);
  else return false;
  return true;
}

/** Replaces the texts at some places of an answer by the JSON that they contain. A text that is not JSON is unchanged. */
function decodeTexts(answer: StepAnswer, decode: StepEntry["decode"] = {}): StepAnswer {
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
function headerIn(answer: StepAnswer, name: string): string {
  const value = answer.headers?.[name.toLowerCase()];
  if (value === undefined) throw stepFailure(`the answer has no header ${name} to save`, answer);
  return value;
}

async function readAnswer(
  protocol: Protocol,
  context: ScenarioContext,
  step: StepEntry,
  { savedValues: kept, streams: live }: PlayState,
): Promise<StepAnswer> {
  const { send, hook, with: parameters = {}, stream, socket, next, until, count, end, arrival, withinMs } = step;
  if (next !== undefined) {
    const condition = fillTemplate((until ?? {}) as Json, kept) as Ending;
    const matches = async (item: StepSubject): Promise<boolean> =>
      (await firstUnmet(context, condition, decodeTexts(item, count === undefined ? step.decode : {}))) === undefined;
    const readItem = (timeoutMs: number | undefined): Promise<StepSubject> => nextItem(next, timeoutMs, matches, live);
    return count === undefined ? readItem(withinMs) : nextItems(count, withinMs, readItem);
  }
  if (end !== undefined) return readToEnd(end, withinMs, live);
  if (arrival !== undefined) return nextArrival(context, arrival, withinMs, live);
  if (hook !== undefined) {
    const json = await context.hook(hook, fillTemplate(parameters, kept) as JsonObject);
    return { json, text: JSON.stringify(json) };
  }
  const { method = "POST", ...request } = fillTemplate((send ?? {}) as Json, kept) as unknown as NonNullable<
    StepEntry["send"]
  >;
  if (stream !== undefined) return mustBeOpen(step, await openStream(context, stream, { method, ...request }, live));
  if (socket !== undefined) return mustBeOpen(step, await openSocket(context, socket, request, live));
  const { base64, ...requestWithText } = request;
  const bytes = base64 === undefined ? {} : { bytes: Buffer.from(base64, "base64") };
  const answer = await context.send({ method, ...requestWithText, ...bytes });
  return { ...answer, requestFault: () => faultOfRequest(protocol, context, { method, ...request }) };
}

/** Throws if a stream or a socket was refused and the step expects no status. Otherwise the missing items would count against the target. */
function mustBeOpen({ expect = [], unless, socket }: StepEntry, answer: StepSubject): StepSubject {
  const isRefused = socket === undefined ? (answer.status ?? 0) >= 300 : answer.status !== 101;
  if (isRefused && unless?.status === undefined && expect.every(({ status }) => status === undefined))
    throw stepFailure(`it was refused with status ${answer.status}`, answer);
  return answer;
}

/** The first fault of a request's body by the documents of its path; undefined if it is valid for one of them. */
async function faultOfRequest(
  { profile }: Protocol,
  context: ScenarioContext,
  { method, path, body }: Pick<NonNullable<StepEntry["send"]>, "method" | "path" | "body">,
): Promise<string | undefined> {
  const documentsOfPath = profile.documents.filter(
    ({ endpoint }) => endpoint?.path === path && endpoint.method === method,
  );
  if (body === undefined) return undefined;
  const faults: string[] = [];
  for (const { name } of documentsOfPath) {
    const violation = (await context.violations(name, body)).find(({ level }) => level === "MUST");
    if (violation === undefined) return undefined;
    faults.push(
      `the scenario does not send a valid ${name}: ${violation.at === "" ? "" : `"${violation.at}" `}${violation.why}`,
    );
  }
  return faults[0];
}

async function judge(
  context: ScenarioContext,
  expectation: Expectation,
  answer: StepAnswer,
  kept: JsonObject,
): Promise<void> {
  const { rule, why } = expectation;
  const filled = fillTemplate(expectation as unknown as Json, kept) as Expectation;
  const unmet = await firstUnmet(context, filled, answer);
  const isUnexplained = answer.isMissing === true && unmet?.includes(answer.text) === false;
  const problem = isUnexplained ? `${answer.text}: ${unmet}` : unmet;
  // If the scenario sent an invalid message by mistake, the target may refuse it.
  const isRefused =
    problem !== undefined && (answer.status ?? 0) >= 400 && filled.status?.every((status) => status < 300);
  const fault = isRefused === true ? await answer.requestFault?.() : undefined;
  if (fault !== undefined) throw stepFailure(fault, answer);
  if (rule === undefined) {
    if (problem !== undefined) throw stepFailure(why ?? problem, answer);
  } else context.expect(rule, problem === undefined, `${why ?? problem}${why === undefined ? "" : `: ${problem}`}`);
}

/** A sentence about the first expectation that is not met, if any. */
async function firstUnmet(
  context: ScenarioContext,
  { status, valid, at: part = "", headers = {}, ...conditions }: Omit<Expectation, "rule">,
  { status: actualStatus, headers: actualHeaders = {}, json, text }: StepAnswer,
): Promise<string | undefined> {
  const showValue = (value: Json | undefined): string =>
    value === undefined ? "nothing" : quote(JSON.stringify(value));
  if (status !== undefined && (actualStatus === undefined || !status.includes(actualStatus)))
    return `the status is ${actualStatus ?? "none"}, not ${status.join(" or ")}: ${quote(text)}`;
  const unmet = findUnmetCondition(conditions, json, text);
  if (unmet !== undefined) return unmet;
  for (const [name, pattern] of Object.entries(headers)) {
    const value = actualHeaders[name.toLowerCase()];
    if (value === undefined || !new RegExp(pattern, "u").test(value))
      return `the header ${name} is ${showValue(value)}, which does not match ${pattern}`;
  }
  if (valid === undefined) return undefined;
  if (json === undefined) return `the answer is not JSON: ${quote(text)}`;
  const spots = valuesAt(part, json);
  if (spots.length === 0) return `the answer has no value at "${part}": ${quote(text)}`;
  for (const { at, value } of spots) {
    if (value === undefined) return `the answer has no value at "${at}": ${quote(text)}`;
    const [violation] = await context.violations(valid, value);
    if (violation !== undefined)
      return `it is not a valid ${valid}: ${violation.at === "" ? "" : `"${violation.at}" `}${violation.why}`;
  }
  return undefined;
}

function stepFailure(why: string, { text }: StepAnswer): TargetFailure {
  return new TargetFailure("errored", "step", `${why}; the answer was ${quote(text)}`);
}
