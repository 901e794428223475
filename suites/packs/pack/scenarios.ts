import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  allInFiles,
  canonical,
  dependenceFault,
  type Expectation,
  isPattern,
  type Json,
  mustBe,
  namesOf,
  nearestName,
  type PlacedRule,
  type Protocol,
  pointer,
  type RuleFile,
  renamedData,
  ruleFault,
  type Scenario,
  type ScenarioEntry,
  type ScenarioFile,
  type StepEntry,
  scenarioFiles,
  shownPath,
} from "../../../schemas/index.ts";
import { readTextFile } from "../../base/format/file-text.ts";
import { quote } from "../../base/text/show.ts";
import { boundRules } from "./dependence.ts";
import { findExport } from "./functions.ts";
import { combinationsOf, maxCombinations, newState, playSteps } from "./steps.ts";
import { emptyStreams } from "./streams.ts";

const defaultTimeLimit = 30_000;

/** A scenario of steps, with its file and its place there. */
interface PlacedScenario {
  entry: ScenarioEntry;
  source: Pick<RuleFile, "file" | "text">;
  at: string;
}

/** The scenarios in a pack's files; empty if there are none. Throws a usage error with the line of the fault. */
export async function scenariosIn(protocol: Protocol): Promise<Scenario[]> {
  const placedScenarios = [...(await scenariosInFolders(protocol)), ...allInFiles(protocol).flatMap(scenariosOfRule)];
  const names = new Set<string>();
  return placedScenarios.map(({ entry, source, at }) => {
    if (names.has(entry.name))
      throw ruleFault(source, at, `there is already a scenario ${entry.name}`, "give each scenario its own name");
    names.add(entry.name);
    return "play" in entry ? functionScenario(protocol, entry) : scenarioOfSteps(protocol, { entry, source, at });
  });
}

async function scenariosInFolders({ folder, extends: extension }: Protocol): Promise<PlacedScenario[]> {
  const names = extension && namesOf(extension);
  const parentScenarios = extension?.parent.foreign === true ? await scenariosInFolders(extension.parent) : [];
  const ownScenarios = await readScenarioFile(folder);
  const ownNames = new Set(ownScenarios.map(({ entry }) => entry.name));
  const inherited = parentScenarios.filter(({ entry }) => !ownNames.has(entry.name));
  return [
    ...inherited.map((placedScenario) => ({
      ...placedScenario,
      entry: names ? renamedData(placedScenario.entry, names) : placedScenario.entry,
    })),
    ...ownScenarios,
  ];
}

async function readScenarioFile(folder: string): Promise<PlacedScenario[]> {
  const path = scenarioFiles.map((name) => join(folder, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) return [];
  const file = shownPath(path);
  const text = await readTextFile(file);
  mustBe("scenarios", file, text);
  const { scenarios } = text.value as unknown as ScenarioFile;
  return scenarios.map((entry, index) => ({ entry, source: { file, text }, at: `/scenarios/${index}` }));
}

/** A scenario that is a function, with the rule that declares it. */
interface FunctionEntry extends Omit<ScenarioEntry, "steps"> {
  play: string;
  rule: PlacedRule;
  rules: string[];
  at: string;
}

function scenariosOfRule(
  rule: PlacedRule,
): (PlacedScenario | (Omit<PlacedScenario, "entry"> & { entry: FunctionEntry }))[] {
  return Object.entries(rule.scenarios ?? {}).map(([name, { steps, play, rules = [], ...otherMembers }]) => {
    const at = `${rule.at}/scenarios/${name}`;
    const source = rule.family;
    return play === undefined
      ? { entry: { ...otherMembers, name, steps: steps ?? [] }, source, at }
      : { entry: { ...otherMembers, name, play, rule, rules: [rule.id, ...rules], at }, source, at };
  });
}

/** A scenario that is a function. Its code is loaded when it is played. */
function functionScenario(
  protocol: Protocol,
  { play, rule, at, needs = [], withinMs = defaultTimeLimit, ...entry }: FunctionEntry,
): Scenario {
  return {
    ...entry,
    needs,
    withinMs,
    ...contentOf({ ...entry, needs, withinMs, code: codeOf(protocol, play), play }),
    async play(context) {
      const { value } = await findExport(protocol, play, rule, `${at}/play`);
      const playFunction = (typeof value === "function" ? value : (value as Partial<Scenario> | null)?.play) as unknown;
      if (!(await boundRules(protocol, context, entry, entry.rules)).includes(rule.id)) return;
      if (typeof playFunction !== "function")
        throw ruleFault(rule.family, `${at}/play`, `${play} is not a function`, "export a function of the context");
      await playFunction.call(value, context);
    },
  };
}

/** The text of the file that contains a function. A change anywhere in it counts as a change of the scenario. */
function codeOf({ folder }: Protocol, play: string): string | null {
  const path = join(folder, play.split("#")[0] as string);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/** The content that identifies a scenario: its requests and expectations, but not its description. */
function contentOf({ says, ...content }: { says: string; [part: string]: unknown }): { content: string } {
  return { content: canonical(content as Json) };
}

function scenarioOfSteps(protocol: Protocol, { entry, source, at: entryPlace }: PlacedScenario): Scenario {
  const fail = (at: string, problem: string, hint: string): never => {
    throw ruleFault(source, at, problem, hint);
  };
  const rules = protocol.rules.map(({ id }) => id);
  const documents = protocol.profile.documents.map(({ name }) => name);
  const checkExpectation = (
    { rule, valid, matches = {}, headers = {} }: Expectation,
    expectationPlace: string,
  ): void => {
    if (rule !== undefined && !rules.includes(rule))
      fail(
        `${expectationPlace}/rule`,
        `the pack has no rule ${rule}`,
        `${nearestName(rule, rules)}write it into rules/*.yaml`,
      );
    if (valid !== undefined && !documents.includes(valid))
      fail(
        `${expectationPlace}/valid`,
        `the pack has no document ${valid}`,
        `${nearestName(valid, documents)}its documents: ${documents.join(", ")}`,
      );
    for (const [part, patterns] of Object.entries({ matches, headers }))
      for (const [place, pattern] of Object.entries(patterns))
        if (!isPattern(pattern))
          fail(
            pointer.append(`${expectationPlace}/${part}`, place),
            `${quote(pattern)} is not a regular expression`,
            "correct it",
          );
  };
  const openedNames: Record<OpenedKind, string[]> = { stream: [], address: [], channel: [] };
  for (const { step, at } of stepsIn(entry.steps, `${entryPlace}/steps`)) {
    for (const [index, expectation] of (step.expect ?? []).entries())
      checkExpectation(expectation, `${at}/expect/${index}`);
    if (step.unless !== undefined) checkExpectation(step.unless, `${at}/unless`);
    if (step.until !== undefined) checkExpectation(step.until, `${at}/until`);
    openedNames.stream.push(...[step.stream ?? [], step.socket ?? [], step.start ?? []].flat());
    openedNames.channel.push(...[step.socket ?? [], step.start ?? []].flat());
    if (step.receive !== undefined) openedNames.address.push(step.receive);
    for (const [member, kind, howToOpen] of membersThatRead) {
      const name = step[member];
      if (name !== undefined && !openedNames[kind].includes(name))
        fail(
          `${at}/${member}`,
          `no earlier step opens the ${kind} ${name}`,
          `${nearestName(name, openedNames[kind])}open it: ${howToOpen}`,
        );
    }
    if (combinationsOf(step.each ?? {}).length > maxCombinations)
      fail(`${at}/each`, `there are more than ${maxCombinations} combinations`, "give fewer values");
  }
  const dependenceProblem = dependenceFault(entry, Object.keys(protocol.profile.http.publishes ?? {}));
  if (dependenceProblem !== undefined)
    fail(`${entryPlace}${dependenceProblem.at}`, dependenceProblem.what, dependenceProblem.hint);
  const judgedRules = rulesIn(entry.steps);
  if (judgedRules.length === 0)
    fail(`${entryPlace}/steps`, "no expectation names a rule", "add rule: ID to an expectation");
  return scenarioFrom(protocol, entry, judgedRules);
}

/** Members of a step that use a stream, channel or address opened by an earlier step, each with the ways to open one. */
const membersThatRead = [
  ["next", "stream", "send with stream: NAME or socket: NAME, or start: NAME"],
  ["end", "stream", "send with stream: NAME or socket: NAME, or start: NAME"],
  ["tell", "channel", "send with socket: NAME, or start: NAME"],
  ["close", "channel", "send with socket: NAME, or start: NAME"],
  ["arrival", "address", "receive: NAME"],
] as const;

type OpenedKind = "stream" | "address" | "channel";

/** All steps, including nested ones, each with its place. */
function stepsIn(steps: readonly StepEntry[], at: string): { step: StepEntry; at: string }[] {
  return steps.flatMap((step, index) => [
    { step, at: `${at}/${index}` },
    ...stepsIn(step.steps ?? [], `${at}/${index}/steps`),
  ]);
}

function rulesIn(steps: readonly StepEntry[]): string[] {
  const ruleIds = stepsIn(steps, "").flatMap(({ step }) => (step.expect ?? []).flatMap(({ rule }) => rule ?? []));
  return [...new Set(ruleIds)];
}

function scenarioFrom(
  protocol: Protocol,
  { steps, needs = [], withinMs = defaultTimeLimit, ...entry }: ScenarioEntry,
  rules: string[],
): Scenario {
  const allSteps = stepsIn(steps, "").map(({ step }) => step);
  const hooks = allSteps.flatMap(({ hook }) => hook ?? []);
  const receiver = allSteps.some(({ receive }) => receive !== undefined) ? ["receiver"] : [];
  const command = allSteps.some(({ start }) => start !== undefined) ? ["command"] : [];
  // Without a second credential, requests of a second agent would have none, and a correct target would refuse them.
  const secondCredential = allSteps.some(({ send }) => send?.as === "b") ? ["second-credential"] : [];
  const waits = totalWait(steps);
  return {
    ...entry,
    rules,
    withinMs,
    needs: [...new Set([...needs, ...hooks, ...receiver, ...command, ...secondCredential])],
    ...(waits === 0 ? {} : { waits }),
    ...contentOf({ ...entry, needs, withinMs, steps }),
    async play(context) {
      const boundIds = await boundRules(protocol, context, entry, rules);
      if (boundIds.length === 0) return;
      await playSteps(protocol, context, steps, {
        ...newState(context, entry.name),
        rules: boundIds,
        unbound: new Set(rules.filter((rule) => !boundIds.includes(rule))),
        judgedRules: new Set(),
        streams: emptyStreams(),
      });
    },
  };
}

/** The total time that the steps wait, in milliseconds. */
function totalWait(steps: readonly StepEntry[]): number {
  return steps.reduce((sum, { pass = 0, each = {}, steps: inner = [] }) => {
    return sum + pass + combinationsOf(each).length * totalWait(inner);
  }, 0);
}
