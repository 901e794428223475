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

/** The maximum number of combinations of values for one group of steps. */
export const maxCombinations = 1000;

/** All combinations of the values, up to one more than the limit, so that the caller can detect an excess. */
export function combinationsOf(valuesByName: Readonly<Record<string, Json[]>>): JsonObject[] {
  let combinations: JsonObject[] = [{}];
  for (const [name, values] of Object.entries(valuesByName)) {
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
      const iterationValues = { ...state.savedValues, ...newState(context, state.name).savedValues, ...values };
      if (!(await playSteps(protocol, context, step.steps ?? [], { ...state, savedValues: iterationValues })))
        return false;
    }
  }
  return true;
}

/** A token of twelve lower-case letters and digits that begins with a letter and differs for each string. */
function tokenFrom(text: string): string {
  const digest = createHash("sha256").update(text).digest("hex");
  return `t${BigInt(`0x${digest}`).toString(36).slice(0, 11)}`;
}

/** The answer to a step, with the faults of its request. */
interface StepAnswer extends StepSubject {
  /** Finds the first fault of the sent message, if documents are sent to its path. */
  requestFault?: () => Promise<string | undefined>;
}

async function playStep(
  protocol: Protocol,
  context: ScenarioContext,
  step: StepEntry,
  state: PlayState,
): Promise<boolean> {
  const { savedValues, judgedRules, rules, unbound } = state;
  if (await performWithoutAnswer(context, step, state)) return true;
  const answer = decodeTexts(await readAnswer(protocol, context, step, state), step.decode);
  if (step.unless !== undefined) {
    const { why, ...ending } = fillTemplate(step.unless as unknown as Json, savedValues) as unknown as Ending;
    if ((await firstUnmet(context, ending, answer)) === undefined) {
      for (const rule of rules.filter((id) => !judgedRules.has(id))) context.skip(rule, why);
      return false;
    }
  }
  for (const expectation of step.expect ?? []) {
    if (expectation.rule !== undefined && unbound?.has(expectation.rule)) continue;
    await judge(context, expectation, answer, savedValues);
    if (expectation.rule !== undefined) judgedRules.add(expectation.rule);
  }
  for (const [name, valueAt] of Object.entries(step.save ?? {})) {
    if (typeof valueAt !== "string") {
      savedValues[name] = headerIn(answer, valueAt.header);
      continue;
    }
    const value = answer.json === undefined ? undefined : pointer.at(valueAt, answer.json);
    if (value === undefined)
      throw stepFailure(`there is nothing at "${valueAt}" of the answer to save as ${name}`, answer);
    savedValues[name] = value;
  }
  return true;
}

/** Performs a step that has no answer; returns false for any other step. */
async function performWithoutAnswer(
  context: ScenarioContext,
  step: StepEntry,
  { savedValues, streams }: PlayState,
): Promise<boolean> {
  const { pass, receive, start, tell, close } = step;
  if (pass !== undefined) await context.pass(pass);
  else if (receive !== undefined) savedValues[receive] = await openAddress(context, receive, step.answers, streams);
  else if (start !== undefined) await startCommand(context, start, streams);
  else if (tell !== undefined) sendMessage(tell, fillTemplate(step.message ?? null, savedValues), streams);
  else if (close !== undefined) closeChannel(close, step.code, streams);
  else return false;
  return true;
}

/** Decodes strings in an answer that contain JSON. A string that is not JSON is unchanged. */
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
  { savedValues, streams }: PlayState,
): Promise<StepAnswer> {
  const { send, hook, with: parameters = {}, stream, socket, next, until, count, end, arrival, withinMs } = step;
  if (next !== undefined) {
    const condition = fillTemplate((until ?? {}) as Json, savedValues) as Ending;
    const matches = async (item: StepSubject): Promise<boolean> =>
      (await firstUnmet(context, condition, decodeTexts(item, count === undefined ? step.decode : {}))) === undefined;
    const readItem = (timeoutMs: number | undefined): Promise<StepSubject> =>
      nextItem(next, timeoutMs, matches, streams);
    return count === undefined ? readItem(withinMs) : nextItems(count, withinMs, readItem);
  }
  if (end !== undefined) return readToEnd(end, withinMs, streams);
  if (arrival !== undefined) return nextArrival(context, arrival, withinMs, streams);
  if (hook !== undefined) {
    const json = await context.hook(hook, fillTemplate(parameters, savedValues) as JsonObject);
    return { json, text: JSON.stringify(json) };
  }
  const { method = "POST", ...request } = fillTemplate((send ?? {}) as Json, savedValues) as unknown as NonNullable<
    StepEntry["send"]
  >;
  if (stream !== undefined)
    return requireOpen(step, await openStream(context, stream, { method, ...request }, streams));
  if (socket !== undefined) return requireOpen(step, await openSocket(context, socket, request, streams));
  const { base64, ...requestWithText } = request;
  const bytes = base64 === undefined ? {} : { bytes: Buffer.from(base64, "base64") };
  const answer = await context.send({ method, ...requestWithText, ...bytes });
  return { ...answer, requestFault: () => faultOfRequest(protocol, context, { method, ...request }) };
}

/** Throws if a stream or a socket was refused and the step expects no status. Otherwise the missing items would count against the target. */
function requireOpen({ expect = [], unless, socket }: StepEntry, answer: StepSubject): StepSubject {
  const isRefused = socket === undefined ? (answer.status ?? 0) >= 300 : answer.status !== 101;
  if (isRefused && unless?.status === undefined && expect.every(({ status }) => status === undefined))
    throw stepFailure(`it was refused with status ${answer.status}`, answer);
  return answer;
}

/** The first fault in a request's body, by the documents of its path; undefined if the body is valid for one of them. */
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
  savedValues: JsonObject,
): Promise<void> {
  const { rule, why } = expectation;
  const filledExpectation = fillTemplate(expectation as unknown as Json, savedValues) as Expectation;
  const unmetReason = await firstUnmet(context, filledExpectation, answer);
  const isUnexplained = answer.isMissing === true && unmetReason?.includes(answer.text) === false;
  const problem = isUnexplained ? `${answer.text}: ${unmetReason}` : unmetReason;
  // If the scenario sent an invalid message by mistake, the target may refuse it.
  const isRefused =
    problem !== undefined && (answer.status ?? 0) >= 400 && filledExpectation.status?.every((status) => status < 300);
  const fault = isRefused === true ? await answer.requestFault?.() : undefined;
  if (fault !== undefined) throw stepFailure(fault, answer);
  if (rule === undefined) {
    if (problem !== undefined) throw stepFailure(why ?? problem, answer);
  } else context.expect(rule, problem === undefined, `${why ?? problem}${why === undefined ? "" : `: ${problem}`}`);
}

/** Describes the first expectation that is not met; undefined if all are met. */
async function firstUnmet(
  context: ScenarioContext,
  { status, valid, at: part = "", headers = {}, ...conditions }: Omit<Expectation, "rule">,
  { status: actualStatus, headers: actualHeaders = {}, json, text }: StepAnswer,
): Promise<string | undefined> {
  const showValue = (value: Json | undefined): string =>
    value === undefined ? "nothing" : quote(JSON.stringify(value));
  if (status !== undefined && (actualStatus === undefined || !status.includes(actualStatus)))
    return `the status is ${actualStatus ?? "none"}, not ${status.join(" or ")}: ${quote(text)}`;
  const unmetCondition = findUnmetCondition(conditions, json, text);
  if (unmetCondition !== undefined) return unmetCondition;
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
