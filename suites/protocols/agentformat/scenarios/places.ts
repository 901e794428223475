import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { agentDocument, callOf, reactDocument, step } from "./documents.ts";
import { countOf, describeEnd, type FinishedRun, isUnsupported, namesOf, outputOf, type Runtime } from "./runtime.ts";

/** Whether a condition matched; a string says why a run did not show it; undefined if a loop ended in the middle of a round. */
export type ConditionOutcome = boolean | string | undefined;

/** A place for a condition in a document, with an effect that a run shows. */
export interface ConditionPlace {
  /** Completes "a condition that decides …". */
  effect: string;
  /** The key in args_match that tests the value with this name. */
  key(name: string): string;
  /** Plays a condition on some values. */
  play(runtime: Runtime, condition: Json, values: JsonObject): Promise<ConditionOutcome>;
}

const explainUndecided = (result: FinishedRun, expectation: string): string =>
  isUnsupported(result)
    ? `the runtime does not support a policy that ${expectation}`
    : `the run ${describeEnd(result)}`;

const routePlace: ConditionPlace = {
  effect: "a route",
  key: (name) => `parent.input.${name}`,
  async play(runtime, condition, values) {
    const routes = [{ when: condition, agent: "taken" }];
    const document = agentDocument("agf.conditional", { routes, default_agent: "left" });
    const result = await runtime.play({ document, input: values });
    const calledNames = namesOf(result, "agent").join();
    if (calledNames === "taken" || calledNames === "left") return calledNames === "taken";
    return explainUndecided(result, "has routes");
  },
};

const exitPlace: ConditionPlace = {
  effect: "the end of a loop",
  key: (name) => `judge.output.${name}`,
  async play(runtime, condition, values) {
    const config = { steps: [step("worker"), step("judge")], exit_condition: condition, max_iterations: 2 };
    const document = agentDocument("agf.loop", config);
    const result = await runtime.play({ document, input: { q: "tea" } }, { agent: () => ({ output: values }) });
    const calledNames = namesOf(result, "agent").join();
    const isFailed = outputOf(result) === undefined;
    // A path without a value may end the run instead of the loop.
    if (calledNames === "worker,judge" && isFailed && Object.keys(values).length === 0)
      return explainUndecided(result, "loops");
    if (calledNames === "worker,judge" || calledNames === "worker,judge,worker,judge")
      return calledNames === "worker,judge";
    return isFailed ? explainUndecided(result, "loops") : undefined;
  },
};

export const approval: ConditionPlace = {
  effect: "whether consent is asked for",
  key: (name) => name,
  async play(runtime, condition, values) {
    const space = { local_tools: [{ alias: "pay", approval: { condition } }] };
    const document = reactDocument({}, { action_space: space });
    const model = (_: JsonObject, count: number): JsonObject =>
      count === 1 ? callOf("pay", values) : { content: "done" };
    const result = await runtime.play({ document, input: { q: "tea" } }, { model });
    const kinds = result.calls.map(({ kind }) => kind).filter((kind) => kind !== "model");
    if (kinds[0] === "consent") return true;
    return countOf(result, "tool") === 1 ? false : explainUndecided(result, "asks a model");
  },
};

/** All places for conditions. */
export const places: readonly ConditionPlace[] = [routePlace, exitPlace, approval];
