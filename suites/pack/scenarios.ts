import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  closest,
  type Expectation,
  equal,
  type Json,
  type JsonObject,
  mustBe,
  type Protocol,
  placeOf,
  pointer,
  type Scenario,
  type ScenarioContext,
  type ScenarioEntry,
  type ScenarioFile,
  type StepEntry,
  scenarioFiles,
  shownPath,
  TargetFailure,
  TouchstoneError,
} from "../../schemas/index.ts";
import { textIn } from "../format/read.ts";
import { quote } from "../text/show.ts";
import { filled } from "../text/template.ts";

const usualLimit = 30_000;

/** The scenarios that a pack's file tells; none without a file. Throws a usage error with the line of what is wrong. */
export async function scenariosIn(protocol: Protocol): Promise<Scenario[]> {
  const path = scenarioFiles.map((name) => join(protocol.folder, name)).find((each) => existsSync(each));
  if (path === undefined) return [];
  const file = shownPath(path);
  const text = await textIn(file);
  mustBe("scenarios", file, text);
  const { scenarios } = text.value as unknown as ScenarioFile;
  const fail = (at: string, what: string, hint: string): never => {
    throw new TouchstoneError("usage", what, { where: placeOf(file, text, { at }), hint });
  };
  const rules = protocol.rules.map(({ id }) => id);
  const documents = protocol.profile.documents.map(({ name }) => name);
  return scenarios.map((entry, index) => {
    const at = `/scenarios/${index}`;
    if (scenarios.findIndex(({ name }) => name === entry.name) < index)
      fail(`${at}/name`, `the scenario ${entry.name} is there before`, "give each a name of its own");
    for (const [place, { expect = [] }] of entry.steps.entries())
      for (const [number, { rule, valid, matches = {} }] of expect.entries()) {
        const there = `${at}/steps/${place}/expect/${number}`;
        if (rule !== undefined && !rules.includes(rule))
          fail(`${there}/rule`, `the pack has no rule ${rule}`, `${closest(rule, rules)}write it into rules.json`);
        if (valid !== undefined && !documents.includes(valid))
          fail(
            `${there}/valid`,
            `the pack has no document ${valid}`,
            `${closest(valid, documents)}its documents: ${documents.join(", ")}`,
          );
        for (const [spot, pattern] of Object.entries(matches))
          if (!isPattern(pattern))
            fail(pointer.append(`${there}/matches`, spot), `${quote(pattern)} is no regular expression`, "correct it");
      }
    const judged = entry.steps.flatMap(({ expect = [] }) => expect.flatMap(({ rule }) => rule ?? []));
    if (judged.length === 0) fail(`${at}/steps`, "no expectation names a rule", "add rule: ID to what is to be judged");
    return scenarioFrom(protocol, entry, [...new Set(judged)]);
  });
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u") !== undefined;
  } catch {
    return false;
  }
}

function scenarioFrom(
  protocol: Protocol,
  { steps, needs = [], withinMs = usualLimit, ...entry }: ScenarioEntry,
  rules: string[],
): Scenario {
  const hooks = steps.flatMap(({ hook }) => hook ?? []);
  const waits = steps.reduce((sum, { pass = 0 }) => sum + pass, 0);
  return {
    ...entry,
    ...{ rules, withinMs, needs: [...new Set([...needs, ...hooks])] },
    ...(waits === 0 ? {} : { waits }),
    async play(context) {
      const fresh = context.fresh(entry.name);
      const kept: JsonObject = { fresh, token: tokenFrom(fresh) };
      for (const step of steps) await take(protocol, context, step, kept);
    },
  };
}

/** Twelve small letters and digits, a letter first, that are another for each text. */
function tokenFrom(text: string): string {
  const digest = createHash("sha256").update(text).digest("hex");
  return `t${BigInt(`0x${digest}`).toString(36).slice(0, 11)}`;
}

/** What an answer is asked for. */
interface Answer {
  /** What is wrong with the message that was sent, where a document has its path. */
  sent?: () => Promise<string | undefined>;
  status?: number;
  json: Json | undefined;
  text: string;
}

async function take(protocol: Protocol, context: ScenarioContext, step: StepEntry, kept: JsonObject): Promise<void> {
  if (step.pass !== undefined) return context.pass(step.pass);
  const answer = await answerTo(protocol, context, step, kept);
  for (const expectation of step.expect ?? []) await judge(context, expectation, answer, kept);
  for (const [name, at] of Object.entries(step.save ?? {})) {
    const there = answer.json === undefined ? undefined : pointer.at(at, answer.json);
    if (there === undefined) throw lacking(`there is nothing at "${at}" of the answer to save as ${name}`, answer);
    kept[name] = there;
  }
}

async function answerTo(
  protocol: Protocol,
  context: ScenarioContext,
  { send, hook, with: given = {} }: StepEntry,
  kept: JsonObject,
): Promise<Answer> {
  if (hook !== undefined) {
    const json = await context.hook(hook, filled(given, kept) as JsonObject);
    return { json, text: JSON.stringify(json) };
  }
  const { method = "POST", ...request } = filled((send ?? {}) as Json, kept) as unknown as NonNullable<
    StepEntry["send"]
  >;
  const answer = await context.send({ method, ...request });
  return { ...answer, sent: () => faultIn(protocol, context, { method, ...request }) };
}

/** What the first document of a request's path has against its body; undefined where one of them has nothing. */
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
  answer: Answer,
  kept: JsonObject,
): Promise<void> {
  const { rule, why } = expectation;
  const wanted = filled(expectation as unknown as Json, kept) as Expectation;
  const wrong = await firstWrong(context, wanted, answer);
  // Who refuses what is wrong, and was to be taken, is right.
  const isRefused = wrong !== undefined && (answer.status ?? 0) >= 400 && wanted.status?.every((each) => each < 300);
  const fault = isRefused === true ? await answer.sent?.() : undefined;
  if (fault !== undefined) throw lacking(fault, answer);
  if (rule === undefined) {
    if (wrong !== undefined) throw lacking(why ?? wrong, answer);
  } else context.expect(rule, wrong === undefined, `${why ?? wrong}${why === undefined ? "" : `: ${wrong}`}`);
}

/** What is not as expected, in words. */
async function firstWrong(
  context: ScenarioContext,
  { status, equal: same = {}, differs = {}, matches = {}, present = [], absent = [], valid }: Expectation,
  { status: answered, json, text }: Answer,
): Promise<string | undefined> {
  const at = (place: string): Json | undefined => (json === undefined ? undefined : pointer.at(place, json));
  const shown = (value: Json | undefined): string => (value === undefined ? "nothing" : quote(JSON.stringify(value)));
  if (status !== undefined && (answered === undefined || !status.includes(answered)))
    return `the status is ${answered ?? "none"}, not ${status.join(" or ")}: ${quote(text)}`;
  for (const [place, value] of Object.entries(same)) {
    const there = at(place);
    if (there === undefined || !equal(there, value)) return `"${place}" is ${shown(there)}, not ${shown(value)}`;
  }
  for (const [place, value] of Object.entries(differs)) {
    const there = at(place);
    if (there !== undefined && equal(there, value)) return `"${place}" is ${shown(value)}`;
  }
  for (const [place, pattern] of Object.entries(matches)) {
    const there = at(place);
    if (typeof there !== "string" || !new RegExp(pattern, "u").test(there))
      return `"${place}" is ${shown(there)}, which does not match ${pattern}`;
  }
  for (const place of present) if (at(place) === undefined) return `there is nothing at "${place}": ${quote(text)}`;
  for (const place of absent) if (at(place) !== undefined) return `"${place}" is there: ${shown(at(place))}`;
  if (valid === undefined) return undefined;
  if (json === undefined) return `the answer is no JSON: ${quote(text)}`;
  const [first] = await context.violations(valid, json);
  return first === undefined
    ? undefined
    : `it is no right ${valid}: ${first.at === "" ? "" : `"${first.at}" `}${first.why}`;
}

function lacking(why: string, { text }: Answer): TargetFailure {
  return new TargetFailure("errored", "step", `${why}; the answer was ${quote(text)}`);
}
