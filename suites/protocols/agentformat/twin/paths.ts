import { isObject, type Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { conditionGroups } from "./conditions.ts";
import { entries, escapeName, finding, get, list } from "./finding.ts";
import { stepsOf } from "./policy.ts";

/** A path expression, such as `search.output.items.[].title`. */
const pathForm =
  /^(parent|[a-zA-Z_][a-zA-Z0-9_]*)\.(input|output)\.[a-zA-Z_][a-zA-Z0-9_]*(\.([a-zA-Z_][a-zA-Z0-9_]*|\[\]))*$/;

/** Whether a step may read the output of an alias; "later" if only the previous iteration of a loop provides it. */
type KnownAlias = (alias: string) => boolean | "later";

/** The faults of path expressions, in mappings and as keys of conditions. */
export function* checkPaths(document: Json): Generator<TwinFinding> {
  const id = get(document, "execution_policy", "id");
  const config = get(document, "execution_policy", "config");
  const names = stepsOf(document).map((step) => String(get(step, "agent")));
  const base = "/execution_policy/config";
  for (const [index, step] of stepsOf(document).entries()) {
    const earlierNames = names.slice(0, index);
    const sources: KnownAlias = (alias) => {
      if (id === "agf.parallel") return false;
      if (earlierNames.includes(alias)) return true;
      return id === "agf.loop" && names.includes(alias) ? "later" : false;
    };
    yield* checkMapping(document, get(step, "input_mapping"), `${base}/steps/${index}/input_mapping`, sources);
  }
  if (id === "agf.batch")
    yield* checkMapping(document, get(config, "input_mapping"), `${base}/input_mapping`, () => false);
  if (id === "agf.conditional")
    for (const [index, route] of list(config, "routes").entries())
      yield* checkMapping(document, get(route, "input_mapping"), `${base}/routes/${index}/input_mapping`, () => false);
  yield* checkConditionKeys(document, names);
  yield* checkRepeatedAgents(document, names);
}

function* checkConditionKeys(document: Json, names: readonly string[]): Generator<TwinFinding> {
  for (const { group, at, decides } of conditionGroups(document)) {
    if (decides === "approval") continue;
    for (const [key] of entries(get(group, "args_match"))) {
      const place = `${at}/args_match/${escapeName(key)}`;
      if (!pathForm.test(key)) yield finding("MATCH-011", place, "is not a path");
      else if (decides === "exit") yield* checkPath(document, key, place, (alias) => names.includes(alias));
      else if (key.startsWith("parent.input.")) yield* checkPath(document, key, place, () => false);
    }
  }
}

function* checkMapping(
  document: Json,
  value: Json | undefined,
  at: string,
  sources: KnownAlias,
): Generator<TwinFinding> {
  for (const [name, text] of entries(value)) {
    const place = `${at}/${escapeName(name)}`;
    if (pathForm.test(String(text))) yield* checkPath(document, String(text), place, sources);
    else yield finding("PATH-001", place, "is not a path");
  }
}

function* checkPath(document: Json, text: string, at: string, sources: KnownAlias): Generator<TwinFinding> {
  const [source = "", direction, field = "", ...remainder] = text.split(".");
  if (remainder.includes("[]") && get(document, "execution_policy", "id") !== "agf.batch")
    yield finding("PATH-004", at, "iterates over a list outside a batch", "path-004");
  if (source === "parent") {
    const knownProperties = get(document, "interface", "input", "properties");
    if (direction !== "input") yield finding("PATH-003", at, "reads the parent's output", "path-003");
    else if (isObject(knownProperties) && !Object.hasOwn(knownProperties, field))
      yield finding("PATH-006", at, "is not a member of the input", "path-006");
    return;
  }
  const availability = sources(source);
  if (availability === false) yield finding("PATH-002", at, "does not name an earlier step");
  if (availability === "later") yield finding("PATH-002", at, "reads the previous iteration", "path-002-loop-later");
  if (direction === "input") yield finding("PATH-003", at, "reads the input of a step", "path-003-step-input");
}

/** Reports an agent that has two steps if a path reads its output, because it is unclear which step is meant. */
function* checkRepeatedAgents(document: Json, names: readonly string[]): Generator<TwinFinding> {
  if (get(document, "execution_policy", "id") === "agf.parallel") return;
  const configText = JSON.stringify(get(document, "execution_policy", "config"));
  for (const [index, name] of names.entries())
    if (names.indexOf(name) < index && configText.includes(`"${name}.`))
      yield finding("PATH-002", `/execution_policy/config/steps/${index}`, "is repeated", "same-agent-twice");
}
