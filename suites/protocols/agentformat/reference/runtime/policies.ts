import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { StepOutput } from "./decisions.ts";
import { delegate, holdsCondition, mapValues, subAgentAliases } from "./delegation.ts";
import { get, memberObject, objects, RunError } from "./order.ts";
import { react } from "./react.ts";

type Policy = (run: ActiveRun, config: JsonObject) => Promise<Json>;

/** The standard policies, by id. */
export const standardPolicies: Readonly<Record<string, Policy>> = {
  "agf.react": react,
  "agf.sequential": (run, config) => runSteps(run, config, "agf.sequential", objects(config.steps)),
  "agf.parallel": (run, config) => runSteps(run, config, "agf.parallel", objects(config.agents)),
  "agf.loop": runLoop,
  "agf.batch": runBatch,
  "agf.conditional": runRoutes,
};

async function runSteps(
  run: ActiveRun,
  config: JsonObject,
  policy: "agf.sequential" | "agf.parallel",
  steps: readonly JsonObject[],
): Promise<Json> {
  requireTransform(run, config);
  const latestOutputs = new Map<string, Json>();
  const enabledSteps = steps.filter(run.decisions.isEnabled);
  const results = run.decisions.runsConcurrently(policy, enabledSteps)
    ? await runParallel(run, enabledSteps)
    : await runSequential(run, enabledSteps, latestOutputs);
  return produceOutput(run, config, policy, results);
}

/** Runs steps at the same time. The results are in the order of the steps, not of the calls. */
async function runParallel(run: ActiveRun, steps: readonly JsonObject[]): Promise<StepOutput[]> {
  const outputsByStep = new Map<JsonObject, StepOutput>();
  const waitingSteps = run.decisions.parallelOrder(steps).slice();
  while (waitingSteps.length > 0) {
    const group = waitingSteps.splice(0, run.decisions.poolSize());
    await Promise.all(group.map(async (step) => outputsByStep.set(step, await runStep(run, step, new Map()))));
  }
  return steps.map((step) => outputsByStep.get(step) as StepOutput);
}

async function runSequential(
  run: ActiveRun,
  steps: readonly JsonObject[],
  latestOutputs: Map<string, Json>,
  isLoopOver: () => boolean = () => false,
): Promise<StepOutput[]> {
  const results: StepOutput[] = [];
  for (const step of steps) {
    const result = await runStep(run, step, latestOutputs);
    latestOutputs.set(result.name, run.decisions.rememberedOutput(latestOutputs.get(result.name), result.output));
    results.push(result);
    if (isLoopOver()) break;
  }
  return results;
}

async function runStep(
  run: ActiveRun,
  step: JsonObject,
  latestOutputs: ReadonlyMap<string, Json>,
): Promise<StepOutput> {
  const name = String(step.agent);
  const { input_mapping: mapping } = step;
  const input =
    mapping === undefined
      ? run.decisions.stepInput(run.order.input)
      : mapValues(run, memberObject(step, "input_mapping"), latestOutputs);
  return { name, output: await delegate(run, name, input) };
}

async function runLoop(run: ActiveRun, config: JsonObject): Promise<Json> {
  requireTransform(run, config);
  const latestOutputs = new Map<string, Json>();
  const { decisions } = run;
  const { exit_condition: condition } = config;
  let results: StepOutput[] = [];
  for (let round = 1; round <= decisions.maxIterations(config); round++) {
    const isLoopOver = (when: "before" | "step" | "after"): boolean =>
      condition !== undefined &&
      decisions.checksExit(when) &&
      decisions.exits(holdsCondition(run, condition, latestOutputs, "exit"), round);
    if (isLoopOver("before")) break;
    if (!decisions.keepsRounds()) latestOutputs.clear();
    results = await runSequential(run, objects(config.steps), latestOutputs, () => isLoopOver("step"));
    if (isLoopOver("after") || isLoopOver("step")) break;
  }
  return produceOutput(run, config, "agf.loop", results);
}

async function runBatch(run: ActiveRun, config: JsonObject): Promise<Json> {
  const { decisions, order } = run;
  const mapping = Object.entries(memberObject(config, "input_mapping")).map(
    ([name, path]) => [name, String(path)] as const,
  );
  const iteratedPath = mapping.map(([, path]) => path).find((path) => path.includes(".[]"));
  const listPath = iteratedPath?.split(".[]")[0] ?? "";
  // Without its prefix, "parent.input".
  const items = valueAt(order.input, listPath.split(".").slice(2));
  if (!Array.isArray(items)) throw new RunError(`${listPath} is not a list`);
  const inputs: JsonObject[] = [];
  const includedItems = items.filter((item, index) => decisions.processesItem(item, items.slice(0, index)));
  const count = decisions.batchCount(includedItems.length, Number(config.max_batch_count ?? 0));
  for (const item of includedItems.slice(0, count)) {
    const input: JsonObject = decisions.batchInput(inputs.at(-1) ?? {});
    for (const [name, path] of mapping) {
      const isItemPath = path.startsWith(`${listPath}.[]`);
      const [base, prefix] = isItemPath ? [item, `${listPath}.[]`] : [order.input, "parent.input"];
      const fields = path
        .slice(prefix.length)
        .split(".")
        .filter((field) => field !== "");
      const resolved = valueAt(base, fields);
      const value = resolved === undefined ? decisions.missingValue(path) : decisions.passedValue(resolved);
      if (value !== undefined) input[name] = value;
    }
    inputs.push(input);
  }
  const callAgent = (input: JsonObject): Promise<Json> => delegate(run, String(config.agent), input);
  if (decisions.runsBatchConcurrently()) return decisions.batchOutput(await Promise.all(inputs.map(callAgent)));
  const outputs: Json[] = [];
  for (const input of inputs) outputs.push(await callAgent(input));
  return decisions.batchOutput(outputs);
}

function valueAt(base: Json, fields: readonly string[]): Json | undefined {
  let value: Json | undefined = base;
  for (const field of fields) value = get(value, field);
  return value;
}

async function runRoutes(run: ActiveRun, config: JsonObject): Promise<Json> {
  const routes = objects(config.routes);
  const matching = routes.flatMap(({ when: condition = {} }, index) =>
    holdsCondition(run, condition, new Map(), "when") ? [index] : [],
  );
  let output: Json | undefined;
  for (const index of run.decisions.chosenRoutes(matching)) {
    const route = routes[index] ?? {};
    const input =
      route.input_mapping === undefined
        ? run.decisions.routeInput(run.order.input)
        : mapValues(run, memberObject(route, "input_mapping"), new Map());
    output = await delegate(run, String(route.agent), input);
  }
  if (output !== undefined) return output;
  if (typeof config.default_agent !== "string") return run.decisions.outputWithoutRoute();
  const map = (): Json => mapValues(run, memberObject(routes.at(-1), "input_mapping"), new Map());
  return delegate(run, config.default_agent, run.decisions.defaultInput(run.order.input, map));
}

/** Throws a RunError for an unknown transform. Called before the first step, so that such a run is declined without a call. */
function requireTransform({ order, decisions }: ActiveRun, config: JsonObject): void {
  const name = get(config.output_from, "custom_transform");
  if (name !== undefined && !decisions.knowsTransform(String(name), order.transforms ?? []))
    throw new RunError(`there is no transform ${name}`);
}

async function produceOutput(
  run: ActiveRun,
  { output_from: outputFrom }: JsonObject,
  policy: string,
  stepOutputs: readonly StepOutput[],
): Promise<Json> {
  const results = stepOutputs.filter(({ output }) => run.decisions.isOutput(output));
  const transform = get(outputFrom, "custom_transform");
  if (transform !== undefined) {
    const outputs = Object.fromEntries(
      run.decisions.transformInputs(results).map(({ name, output }) => [name, output]),
    );
    return (await run.world.ask("transform", { name: transform, outputs })).output ?? null;
  }
  const output = outputChoice(run, outputFrom, policy);
  if ("agent" in output) return results.findLast(({ name }) => name === output.agent)?.output ?? null;
  if (output.strategy === "first") return results[0]?.output ?? null;
  if (output.strategy === "last") return results.at(-1)?.output ?? null;
  return run.decisions.mergeOutputs(results);
}

function outputChoice(
  run: ActiveRun,
  outputFrom: Json | undefined,
  policy: string,
): { agent: string } | { strategy: string } {
  if (typeof outputFrom === "string")
    return run.decisions.isStrategy(outputFrom, subAgentAliases(run))
      ? { strategy: outputFrom }
      : { agent: outputFrom };
  const [agent, strategy] = [get(outputFrom, "agent"), get(outputFrom, "strategy")];
  if (agent !== undefined) return run.decisions.namedAgent(String(agent));
  return { strategy: strategy === undefined ? run.decisions.strategy(policy) : String(strategy) };
}
