import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { agentDocument, callOf, reactDocument, step } from "./documents.ts";
import { countOf, endOf, type FinishedRun, isUnsupported, namesOf, outputOf, type Runtime } from "./runtime.ts";

/** The result of a condition: a text is the failure of the run, and undefined means that it ended between two rounds. */
export type ConditionOutcome = boolean | string | undefined;

/** A place in a document with a condition that has a visible effect. */
export interface ConditionPlace {
  /** Completes "a condition that decides …". */
  says: string;
  /** The key of a test for a value. */
  key(name: string): string;
  /** Plays a condition on some values. */
  turns(runtime: Runtime, condition: Json, values: JsonObject): Promise<ConditionOutcome>;
}

const cannotTell = (result: FinishedRun, expectation: string): string =>
  isUnsupported(result) ? `the runtime does not support what ${expectation}` : `the run ${endOf(result)}`;

const routePlace: ConditionPlace = {
  says: "a route",
  key: (name) => `parent.input.${name}`,
  async turns(runtime, condition, values) {
    const routes = [{ when: condition, agent: "taken" }];
    const document = agentDocument("agf.conditional", { routes, default_agent: "left" });
    const result = await runtime.play({ document, input: values });
    const calledNames = namesOf(result, "agent").join();
    if (calledNames === "taken" || calledNames === "left") return calledNames === "taken";
    return cannotTell(result, "has routes");
  },
};

const exit: ConditionPlace = {
  says: "the end of a loop",
  key: (name) => `judge.output.${name}`,
  async turns(runtime, condition, values) {
    const config = { steps: [step("worker"), step("judge")], exit_condition: condition, max_iterations: 2 };
    const document = agentDocument("agf.loop", config);
    const result = await runtime.play({ document, input: { q: "tea" } }, { agent: () => ({ output: values }) });
    const calledNames = namesOf(result, "agent").join();
    const isFailed = outputOf(result) === undefined;
    // A path without a value may end the run instead of the loop.
    if (calledNames === "worker,judge" && isFailed && Object.keys(values).length === 0)
      return cannotTell(result, "loops");
    if (calledNames === "worker,judge" || calledNames === "worker,judge,worker,judge")
      return calledNames === "worker,judge";
    return isFailed ? cannotTell(result, "loops") : undefined;
  },
};

export const approval: ConditionPlace = {
  says: "whether consent is asked for",
  key: (name) => name,
  async turns(runtime, condition, values) {
    const space = { local_tools: [{ alias: "pay", approval: { condition } }] };
    const document = reactDocument({}, { action_space: space });
    const model = (_: JsonObject, count: number): JsonObject =>
      count === 1 ? callOf("pay", values) : { content: "done" };
    const result = await runtime.play({ document, input: { q: "tea" } }, { model });
    const kinds = result.calls.map(({ kind }) => kind).filter((kind) => kind !== "model");
    if (kinds[0] === "consent") return true;
    return countOf(result, "tool") === 1 ? false : cannotTell(result, "asks a model");
  },
};

/** All places of conditions. */
export const places: readonly ConditionPlace[] = [routePlace, exit, approval];
