import type { Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { conditionGroups, groupsOf } from "./conditions.ts";
import { entries, escapeName, finding, get, has, list } from "./finding.ts";

const standardPolicies = ["react", "sequential", "parallel", "loop", "batch", "conditional"].map(
  (checkId) => `agf.${checkId}`,
);
const configPath = "/execution_policy/config";
const reservedWords = ["last", "merge", "first"];

/** Checks the execution policy, apart from its path expressions. */
export function* checkPolicy(document: Json): Generator<TwinFinding> {
  const id = String(get(document, "execution_policy", "id"));
  const config = get(document, "execution_policy", "config");
  yield* name(id, String(get(document, "schema_version")));
  const declaredAliases = list(document, "action_space", "local_agents").map((agent) => get(agent, "alias"));
  const checkAlias = (rule: string, place: string, alias: Json | undefined): TwinFinding[] =>
    alias === undefined || declaredAliases.includes(alias)
      ? []
      : [finding(rule, `${configPath}/${place}`, "is not declared")];
  const steps = stepsOf(document);
  for (const [index, step] of steps.entries()) yield* checkAlias("POL-007", `steps/${index}`, get(step, "agent"));
  if (steps.length > 0) yield* checkOutput(config, declaredAliases, steps);
  if (id === "agf.batch") {
    yield* checkAlias("POL-007", "agent", get(config, "agent"));
    yield* checkBatch(config);
  }
  if (id !== "agf.conditional") return;
  yield* checkAlias("POL-008", "default_agent", get(config, "default_agent"));
  const routes = list(config, "routes");
  for (const [index, route] of routes.entries()) {
    yield* checkAlias("POL-008", `routes/${index}`, get(route, "agent"));
    const alwaysMatches = groupsOf(get(route, "when")).some((group) => entries(get(group, "args_match")).length === 0);
    if (alwaysMatches && index < routes.length - 1)
      yield finding("COND-005", `${configPath}/routes/${index}/when`, "makes the later routes unreachable", "cond-005");
  }
  for (const { group, at: place, decides } of conditionGroups(document))
    for (const [key] of entries(get(group, "args_match")))
      if (decides === "when" && !key.startsWith("parent.input."))
        yield finding("COND-004", `${place}/args_match/${escapeName(key)}`, "does not read the parent's input");
}

function* name(id: string, version: string): Generator<TwinFinding> {
  const place = "/execution_policy/id";
  if (id.startsWith("agf.")) {
    if (!standardPolicies.includes(id))
      yield finding("POL-003", place, "is unknown", version.startsWith("1.0.") ? undefined : "pol-003-newer");
  } else if (id.startsWith("x-")) {
    if (!/^x-[A-Za-z0-9_-]+\..+$/s.test(id)) yield finding("POL-004", place, "has no name", "pol-004");
  } else yield finding("POL-005", place, "starts with neither agf. nor x-", "pol-005");
}

/** The steps of a policy that has a list of them. */
export function stepsOf(document: Json): Json[] {
  const id = get(document, "execution_policy", "id");
  const config = get(document, "execution_policy", "config");
  if (id === "agf.parallel") return list(config, "agents");
  return id === "agf.sequential" || id === "agf.loop" ? list(config, "steps") : [];
}

function outputAlias(outputSource: Json | undefined): Json | undefined {
  if (typeof outputSource !== "string") return get(outputSource, "agent");
  return reservedWords.includes(outputSource) ? undefined : outputSource;
}

function* checkOutput(
  config: Json | undefined,
  declaredAliases: readonly unknown[],
  steps: readonly Json[],
): Generator<TwinFinding> {
  const outputSource = get(config, "output_from");
  const alias = outputAlias(outputSource);
  if (alias === undefined) return;
  if (!declaredAliases.includes(alias))
    yield finding(
      typeof outputSource === "string" ? "OUT-002" : "POL-008",
      `${configPath}/output_from`,
      "is not declared",
    );
  else if (!steps.some((step) => get(step, "agent") === alias))
    yield finding("OUT-004", `${configPath}/output_from`, "is not called by this policy");
}

function* checkBatch(config: Json | undefined): Generator<TwinFinding> {
  const lists = entries(get(config, "input_mapping"))
    .map(([, value]) => String(value))
    .filter((value) => value.split(".").includes("[]"));
  const place = `${configPath}/input_mapping`;
  if (!has(config, "input_mapping") || lists.length === 0)
    yield finding("BATCH-002", place, "does not iterate over a list");
  const heads = new Set(lists.map((value) => value.slice(0, value.indexOf(".[]"))));
  if (heads.size > 1) yield finding("BATCH-004", place, "iterates over two lists", "batch-004");
}
