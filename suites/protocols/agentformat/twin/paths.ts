import { isObject, type Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { groups } from "./conditions.ts";
import { entries, escapeName, finding, get, list } from "./finding.ts";
import { stepsOf } from "./policy.ts";

const form =
  /^(parent|[a-zA-Z_][a-zA-Z0-9_]*)\.(input|output)\.[a-zA-Z_][a-zA-Z0-9_]*(\.([a-zA-Z_][a-zA-Z0-9_]*|\[\]))*$/;

/** The steps that a place may read: any named step, or a later one in a loop. */
type KnownAlias = (alias: string) => boolean | "later";

/** The faults of path expressions, in mappings and as keys of conditions. */
export function* paths(document: Json): Generator<TwinFinding> {
  const id = get(document, "execution_policy", "id");
  const config = get(document, "execution_policy", "config");
  const names = stepsOf(document).map((step) => String(get(step, "agent")));
  const base = "/execution_policy/config";
  for (const [index, step] of stepsOf(document).entries()) {
    const before = names.slice(0, index);
    const sources: KnownAlias = (alias) => {
      if (id === "agf.parallel") return false;
      return before.includes(alias) || (id === "agf.loop" && names.includes(alias) ? "later" : false) || false;
    };
    yield* mapping(document, get(step, "input_mapping"), `${base}/steps/${index}/input_mapping`, sources);
  }
  if (id === "agf.batch") yield* mapping(document, get(config, "input_mapping"), `${base}/input_mapping`, () => false);
  if (id === "agf.conditional")
    for (const [index, route] of list(config, "routes").entries())
      yield* mapping(document, get(route, "input_mapping"), `${base}/routes/${index}/input_mapping`, () => false);
  yield* keys(document, names);
  yield* findRepeated(document, names);
}

function* keys(document: Json, names: readonly string[]): Generator<TwinFinding> {
  for (const { group, at, decides } of groups(document)) {
    if (decides === "approval") continue;
    for (const [key] of entries(get(group, "args_match"))) {
      const place = `${at}/args_match/${escapeName(key)}`;
      if (!form.test(key)) yield finding("MATCH-011", place, "is no path");
      else if (decides === "exit") yield* path(document, key, place, (alias) => names.includes(alias));
      else if (key.startsWith("parent.input.")) yield* path(document, key, place, () => false);
    }
  }
}

function* mapping(document: Json, value: Json | undefined, at: string, sources: KnownAlias): Generator<TwinFinding> {
  for (const [name, text] of entries(value)) {
    const place = `${at}/${escapeName(name)}`;
    if (form.test(String(text))) yield* path(document, String(text), place, sources);
    else yield finding("PATH-001", place, "is no path");
  }
}

function* path(document: Json, text: string, at: string, sources: KnownAlias): Generator<TwinFinding> {
  const [source = "", direction, field = "", ...remainder] = text.split(".");
  if (remainder.includes("[]") && get(document, "execution_policy", "id") !== "agf.batch")
    yield finding("PATH-004", at, "goes through a list outside of a batch", "path-004");
  if (source === "parent") {
    const knownProperties = get(document, "interface", "input", "properties");
    if (direction !== "input") yield finding("PATH-003", at, "takes output of the parent", "path-003");
    else if (isObject(knownProperties) && !Object.hasOwn(knownProperties, field))
      yield finding("PATH-006", at, "is no member of the input", "path-006");
    return;
  }
  const sourceFields = sources(source);
  if (sourceFields === false) yield finding("PATH-002", at, "is not of an earlier step");
  if (sourceFields === "later") yield finding("PATH-002", at, "is of the iteration before", "path-002-loop-later");
  if (direction === "input") yield finding("PATH-003", at, "takes input of a step", "path-003-step-input");
}

/** An agent that occurs twice and whose output is used: it is unclear which one is meant. */
function* findRepeated(document: Json, names: readonly string[]): Generator<TwinFinding> {
  if (get(document, "execution_policy", "id") === "agf.parallel") return;
  const configText = JSON.stringify(get(document, "execution_policy", "config"));
  for (const [index, name] of names.entries())
    if (names.indexOf(name) < index && configText.includes(`"${name}.`))
      yield finding("PATH-002", `/execution_policy/config/steps/${index}`, "is there twice", "same-agent-twice");
}
