import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import type { StepOutput } from "./decisions.ts";
import { agentsIn, delegate, holdsCondition, mapValues } from "./delegation.ts";
import { get, memberObject, objects, RunError } from "./order.ts";
import { react } from "./react.ts";
import type { Running } from "./running.ts";

type Policy = (running: Running, config: JsonObject) => Promise<Json>;

/** The standard policies, by id. */
export const standardPolicies: Readonly<Record<string, Policy>> = {
  "agf.react": react,
  "agf.sequential": (running, config) => listSteps(running, config, "agf.sequential", objects(config.steps)),
  "agf.parallel": (running, config) => listSteps(running, config, "agf.parallel", objects(config.agents)),
  "agf.loop": runLoop,
  "agf.batch": runBatch,
  "agf.conditional": runRoutes,
};

async function listSteps(
  running: Running,
  config: JsonObject,
  policy: "agf.sequential" | "agf.parallel",
  steps: readonly JsonObject[],
): Promise<Json> {
  mustHaveTransform(running, config);
  const latest = new Map<string, Json>();
  const enabledSteps = steps.filter(running.decisions.isOn);
  const results = running.decisions.areAtOnce(policy, enabledSteps)
    ? await runParallel(running, enabledSteps)
    : await runSequential(running, enabledSteps, latest);
  return outputOf(running, config, policy, results);
}

/** Runs steps at the same time. The results are in the order of the steps, not of the calls. */
async function runParallel(running: Running, steps: readonly JsonObject[]): Promise<StepOutput[]> {
  const byStep = new Map<JsonObject, StepOutput>();
  const waitingSteps = running.decisions.parallelOrder(steps).slice();
  while (waitingSteps.length > 0) {
    const group = waitingSteps.splice(0, running.decisions.pool());
    await Promise.all(group.map(async (step) => byStep.set(step, await runStep(running, step, new Map()))));
  }
  return steps.map((step) => byStep.get(step) as StepOutput);
}

async function runSequential(
  running: Running,
  steps: readonly JsonObject[],
  latest: Map<string, Json>,
  isLoopOver: () => boolean = () => false,
): Promise<StepOutput[]> {
  const results: StepOutput[] = [];
  for (const step of steps) {
    const result = await runStep(running, step, latest);
    latest.set(result.name, running.decisions.rememberedOutput(latest.get(result.name), result.output));
    results.push(result);
    if (isLoopOver()) break;
  }
  return results;
}

async function runStep(running: Running, step: JsonObject, latest: ReadonlyMap<string, Json>): Promise<StepOutput> {
  const name = String(step.agent);
  const { input_mapping: mapping } = step;
  const input =
    mapping === undefined
      ? running.decisions.stepInput(running.order.input)
      : mapValues(running, memberObject(step, "input_mapping"), latest);
  return { name, output: await delegate(running, name, input) };
}

async function runLoop(running: Running, config: JsonObject): Promise<Json> {
  mustHaveTransform(running, config);
  const latest = new Map<string, Json>();
  const { decisions } = running;
  const { exit_condition: condition } = config;
  let results: StepOutput[] = [];
  for (let round = 1; round <= decisions.maxIterations(config); round++) {
    const isLoopOver = (when: "before" | "step" | "after"): boolean =>
      condition !== undefined &&
      decisions.looksAtExit(when) &&
      decisions.exits(holdsCondition(running, condition, latest, "exit"), round);
    if (isLoopOver("before")) break;
    if (!decisions.keepsRounds()) latest.clear();
    results = await runSequential(running, objects(config.steps), latest, () => isLoopOver("step"));
    if (isLoopOver("after") || isLoopOver("step")) break;
  }
  return outputOf(running, config, "agf.loop", results);
}

async function runBatch(running: Running, config: JsonObject): Promise<Json> {
  const { decisions, order } = running;
  const mapping = Object.entries(memberObject(config, "input_mapping")).map(
    ([name, path]) => [name, String(path)] as const,
  );
  const list = mapping.find(([, path]) => path.includes(".[]"))?.[1].split(".[]")[0] ?? "";
  let items: Json | undefined = order.input;
  for (const field of list.split(".").slice(2)) items = get(items, field);
  if (!Array.isArray(items)) throw new RunError(`${list} is not a list`);
  const inputs: JsonObject[] = [];
  const includedItems = items.filter((item, index) => decisions.processesItem(item, items.slice(0, index)));
  for (const item of includedItems.slice(
    0,
    decisions.batchCount(includedItems.length, Number(config.max_batch_count ?? 0)),
  )) {
    const input: JsonObject = decisions.batchInput(inputs.at(-1) ?? {});
    for (const [name, path] of mapping) {
      const [base, remainder] = path.startsWith(`${list}.[]`)
        ? [item, path.slice(list.length + 3)]
        : [order.input, path.slice(12)];
      let value: Json | undefined = base;
      for (const field of remainder.split(".").filter((each) => each !== "")) value = get(value, field);
      const resolved = value === undefined ? decisions.missingValue(path) : decisions.passedValue(value);
      if (resolved !== undefined) input[name] = resolved;
    }
    inputs.push(input);
  }
  const work = (input: JsonObject): Promise<Json> => delegate(running, String(config.agent), input);
  if (decisions.isBatchAtOnce()) return decisions.batched(await Promise.all(inputs.map(work)));
  const outputs: Json[] = [];
  for (const input of inputs) outputs.push(await work(input));
  return decisions.batched(outputs);
}

async function runRoutes(running: Running, config: JsonObject): Promise<Json> {
  const routes = objects(config.routes);
  const matching = routes.flatMap(({ when: condition = {} }, index) =>
    holdsCondition(running, condition, new Map(), "when") ? [index] : [],
  );
  let output: Json | undefined;
  for (const index of running.decisions.chosenRoutes(matching)) {
    const route = routes[index] ?? {};
    const input =
      route.input_mapping === undefined
        ? running.decisions.routeInput(running.order.input)
        : mapValues(running, memberObject(route, "input_mapping"), new Map());
    output = await delegate(running, String(route.agent), input);
  }
  if (output !== undefined) return output;
  if (typeof config.default_agent !== "string") return running.decisions.unmatched();
  const map = (): Json => mapValues(running, memberObject(routes.at(-1), "input_mapping"), new Map());
  return delegate(running, config.default_agent, running.decisions.defaultInput(running.order.input, map));
}

/** Declines a run with an unknown transform before anything is called. */
function mustHaveTransform({ order, decisions }: Running, config: JsonObject): void {
  const name = get(config.output_from, "custom_transform");
  if (name !== undefined && !decisions.knowsTransform(String(name), order.transforms ?? []))
    throw new RunError(`there is no transform ${name}`);
}

async function outputOf(
  running: Running,
  { output_from: outputFrom }: JsonObject,
  policy: string,
  stepOutputs: readonly StepOutput[],
): Promise<Json> {
  const results = stepOutputs.filter(({ output }) => running.decisions.isOutput(output));
  const transform = get(outputFrom, "custom_transform");
  if (transform !== undefined) {
    const outputs = Object.fromEntries(
      running.decisions.transformed(results).map(({ name, output }) => [name, output]),
    );
    return (await running.world.ask("transform", { name: transform, outputs })).output ?? null;
  }
  const output = selectOutput(running, outputFrom, policy);
  if ("agent" in output) return results.findLast(({ name }) => name === output.agent)?.output ?? null;
  if (output.strategy === "first") return results[0]?.output ?? null;
  if (output.strategy === "last") return results.at(-1)?.output ?? null;
  return running.decisions.merged(results);
}

function selectOutput(
  running: Running,
  outputFrom: Json | undefined,
  policy: string,
): { agent: string } | { strategy: string } {
  if (typeof outputFrom === "string")
    return running.decisions.isStrategy(outputFrom, agentsIn(running))
      ? { strategy: outputFrom }
      : { agent: outputFrom };
  const [agent, strategy] = [get(outputFrom, "agent"), get(outputFrom, "strategy")];
  if (agent !== undefined) return running.decisions.namedAgent(String(agent));
  return { strategy: strategy === undefined ? running.decisions.strategy(policy) : String(strategy) };
}
