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
import { textIn } from "../../base/format/file-text.ts";
import { quote } from "../../base/text/show.ts";
import { boundRules } from "./dependence.ts";
import { exportNamed } from "./functions.ts";
import { emptyStreams } from "./live.ts";
import { combinationsOf, drawStory, maxCombinations, takeAll } from "./story.ts";

const usualLimit = 30_000;

/** A scenario of steps, and its file. */
interface PlacedScenario {
  entry: ScenarioEntry;
  source: Pick<RuleFile, "file" | "text">;
  at: string;
}

/** The scenarios in a pack's files; empty without a file. Throws a usage error with the line of the fault. */
export async function scenariosIn(protocol: Protocol): Promise<Scenario[]> {
  const all = [...(await toldIn(protocol)), ...allInFiles(protocol).flatMap(toldOf)];
  const names = new Set<string>();
  return all.map(({ entry, source, at }) => {
    if (names.has(entry.name))
      throw ruleFault(source, at, `the scenario ${entry.name} is there before`, "give each a name of its own");
    names.add(entry.name);
    return "play" in entry ? playScenario(protocol, entry) : fromSteps(protocol, { entry, source, at });
  });
}

async function toldIn({ folder, extends: extension }: Protocol): Promise<PlacedScenario[]> {
  const names = extension && namesOf(extension);
  const before = extension?.parent.foreign === true ? await toldIn(extension.parent) : [];
  const own = await toldInFolder(folder);
  const known = new Set(own.map(({ entry }) => entry.name));
  const inherited = before.filter(({ entry }) => !known.has(entry.name));
  return [
    ...inherited.map((placedScenario) => ({
      ...placedScenario,
      entry: names ? renamedData(placedScenario.entry, names) : placedScenario.entry,
    })),
    ...own,
  ];
}

async function toldInFolder(folder: string): Promise<PlacedScenario[]> {
  const path = scenarioFiles.map((name) => join(folder, name)).find((each) => existsSync(each));
  if (path === undefined) return [];
  const file = shownPath(path);
  const text = await textIn(file);
  mustBe("scenarios", file, text);
  const { scenarios } = text.value as unknown as ScenarioFile;
  return scenarios.map((entry, index) => ({ entry, source: { file, text }, at: `/scenarios/${index}` }));
}

/** A scenario that is a function, with the rule under which it is declared. */
interface PlayedEntry extends Omit<ScenarioEntry, "steps"> {
  play: string;
  rule: PlacedRule;
  rules: string[];
  at: string;
}

function toldOf(rule: PlacedRule): (PlacedScenario | (Omit<PlacedScenario, "entry"> & { entry: PlayedEntry }))[] {
  return Object.entries(rule.scenarios ?? {}).map(([name, { steps, play, rules = [], ...part }]) => {
    const at = `${rule.at}/scenarios/${name}`;
    const source = rule.family;
    return play === undefined
      ? { entry: { ...part, name, steps: steps ?? [] }, source, at }
      : { entry: { ...part, name, play, rule, rules: [rule.id, ...rules], at }, source, at };
  });
}

/** Loads the code when the scenario is played. */
function playScenario(
  protocol: Protocol,
  { play, rule, at, needs = [], withinMs = usualLimit, ...entry }: PlayedEntry,
): Scenario {
  return {
    ...entry,
    needs,
    withinMs,
    ...contentOf({ ...entry, needs, withinMs, code: codeOf(protocol, play), play }),
    async play(context) {
      const { value } = await exportNamed(protocol, play, rule, `${at}/play`);
      const story = (typeof value === "function" ? value : (value as Partial<Scenario> | null)?.play) as unknown;
      if (!(await boundRules(protocol, context, entry, entry.rules)).includes(rule.id)) return;
      if (typeof story !== "function")
        throw ruleFault(rule.family, `${at}/play`, `${play} is not a function`, "export a function of the context");
      await story.call(value, context);
    },
  };
}

/** The text of the file with a function, which says more than the function alone. */
function codeOf({ folder }: Protocol, play: string): string | null {
  const path = join(folder, play.split("#")[0] as string);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/** Words about a scenario may change, its questions and expectations may not. */
function contentOf({ says, ...asked }: { says: string; [part: string]: unknown }): { content: string } {
  return { content: canonical(asked as Json) };
}

function fromSteps(protocol: Protocol, { entry, source, at: top }: PlacedScenario): Scenario {
  const fail = (at: string, what: string, hint: string): never => {
    throw ruleFault(source, at, what, hint);
  };
  const rules = protocol.rules.map(({ id }) => id);
  const documents = protocol.profile.documents.map(({ name }) => name);
  const hold = ({ rule, valid, matches = {}, headers = {} }: Expectation, there: string): void => {
    if (rule !== undefined && !rules.includes(rule))
      fail(`${there}/rule`, `the pack has no rule ${rule}`, `${nearestName(rule, rules)}write it into rules/*.yaml`);
    if (valid !== undefined && !documents.includes(valid))
      fail(
        `${there}/valid`,
        `the pack has no document ${valid}`,
        `${nearestName(valid, documents)}its documents: ${documents.join(", ")}`,
      );
    for (const [part, patterns] of Object.entries({ matches, headers }))
      for (const [spot, pattern] of Object.entries(patterns))
        if (!isPattern(pattern))
          fail(pointer.append(`${there}/${part}`, spot), `${quote(pattern)} is not a regular expression`, "correct it");
  };
  const opened: Record<OpenedKind, string[]> = { stream: [], address: [], channel: [] };
  for (const { step, at } of stepsIn(entry.steps, `${top}/steps`)) {
    for (const [number, expectation] of (step.expect ?? []).entries()) hold(expectation, `${at}/expect/${number}`);
    if (step.unless !== undefined) hold(step.unless, `${at}/unless`);
    if (step.until !== undefined) hold(step.until, `${at}/until`);
    opened.stream.push(...[step.stream ?? [], step.socket ?? [], step.start ?? []].flat());
    opened.channel.push(...[step.socket ?? [], step.start ?? []].flat());
    if (step.receive !== undefined) opened.address.push(step.receive);
    for (const [member, kind, way] of readers) {
      const name = step[member];
      if (name !== undefined && !opened[kind].includes(name))
        fail(
          `${at}/${member}`,
          `no earlier step opens the ${kind} ${name}`,
          `${nearestName(name, opened[kind])}open it: ${way}`,
        );
    }
    if (combinationsOf(step.each ?? {}).length > maxCombinations)
      fail(`${at}/each`, `there are more than ${maxCombinations} combinations`, "give fewer values");
  }
  const wrong = dependenceFault(entry, Object.keys(protocol.profile.http.publishes ?? {}));
  if (wrong !== undefined) fail(`${top}${wrong.at}`, wrong.what, wrong.hint);
  const judged = rulesIn(entry.steps);
  if (judged.length === 0) fail(`${top}/steps`, "no expectation names a rule", "add rule: ID to an expectation");
  return scenarioFrom(protocol, entry, judged);
}

/** Members that read a stream or request that an earlier step has opened. */
const readers = [
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
  const all = stepsIn(steps, "").flatMap(({ step }) => (step.expect ?? []).flatMap(({ rule }) => rule ?? []));
  return [...new Set(all)];
}

function scenarioFrom(
  protocol: Protocol,
  { steps, needs = [], withinMs = usualLimit, ...entry }: ScenarioEntry,
  rules: string[],
): Scenario {
  const all = stepsIn(steps, "").map(({ step }) => step);
  const hooks = all.flatMap(({ hook }) => hook ?? []);
  const receiver = all.some(({ receive }) => receive !== undefined) ? ["receiver"] : [];
  const command = all.some(({ start }) => start !== undefined) ? ["command"] : [];
  // Without the credentials of a second agent such a request would have none, and a right target refuses it for that.
  const second = all.some(({ send }) => send?.as === "b") ? ["second-credential"] : [];
  const waits = waitOf(steps);
  return {
    ...entry,
    rules,
    withinMs,
    needs: [...new Set([...needs, ...hooks, ...receiver, ...command, ...second])],
    ...(waits === 0 ? {} : { waits }),
    ...contentOf({ ...entry, needs, withinMs, steps }),
    async play(context) {
      const bound = await boundRules(protocol, context, entry, rules);
      if (bound.length === 0) return;
      await takeAll(protocol, context, steps, {
        ...drawStory(context, entry.name),
        rules: bound,
        unbound: new Set(rules.filter((rule) => !bound.includes(rule))),
        judged: new Set(),
        live: emptyStreams(),
      });
    },
  };
}

/** The total milliseconds that all steps wait. */
function waitOf(steps: readonly StepEntry[]): number {
  return steps.reduce((sum, { pass = 0, each = {}, steps: inner = [] }) => {
    return sum + pass + combinationsOf(each).length * waitOf(inner);
  }, 0);
}
