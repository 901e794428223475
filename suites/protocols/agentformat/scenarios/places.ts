import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { agentDocument, callOf, reactDocument, step } from "./documents.ts";
import { countOf, endOf, type Finished, isUnsupported, namesOf, outputOf, type Runtime } from "./runtime.ts";

/** The result of a condition: a text is the failure of the run, and undefined means that it ended between two rounds. */
export type Turned = boolean | string | undefined;

/** A place in a document with a condition that has a visible effect. */
export interface ConditionPlace {
  /** Completes "a condition that decides …". */
  says: string;
  /** The key of a test for a value. */
  key(name: string): string;
  /** Plays a condition on some values. */
  turns(runtime: Runtime, condition: Json, values: JsonObject): Promise<Turned>;
}

const cannotTell = (finished: Finished, what: string): string =>
  isUnsupported(finished) ? `the runtime does not support what ${what}` : `the run ${endOf(finished)}`;

const routePlace: ConditionPlace = {
  says: "a route",
  key: (name) => `parent.input.${name}`,
  async turns(runtime, condition, values) {
    const routes = [{ when: condition, agent: "taken" }];
    const document = agentDocument("agf.conditional", { routes, default_agent: "left" });
    const finished = await runtime.play({ document, input: values });
    const called = namesOf(finished, "agent").join();
    if (called === "taken" || called === "left") return called === "taken";
    return cannotTell(finished, "has routes");
  },
};

const exit: ConditionPlace = {
  says: "the end of a loop",
  key: (name) => `judge.output.${name}`,
  async turns(runtime, condition, values) {
    const config = { steps: [step("worker"), step("judge")], exit_condition: condition, max_iterations: 2 };
    const document = agentDocument("agf.loop", config);
    const finished = await runtime.play({ document, input: { q: "tea" } }, { agent: () => ({ output: values }) });
    const called = namesOf(finished, "agent").join();
    const isFailed = outputOf(finished) === undefined;
    // A path without a value may end the run instead of the loop.
    if (called === "worker,judge" && isFailed && Object.keys(values).length === 0) return cannotTell(finished, "loops");
    if (called === "worker,judge" || called === "worker,judge,worker,judge") return called === "worker,judge";
    return isFailed ? cannotTell(finished, "loops") : undefined;
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
    const finished = await runtime.play({ document, input: { q: "tea" } }, { model });
    const kinds = finished.calls.map(({ kind }) => kind).filter((kind) => kind !== "model");
    if (kinds[0] === "consent") return true;
    return countOf(finished, "tool") === 1 ? false : cannotTell(finished, "asks a model");
  },
};

/** All places of conditions. */
export const places: readonly ConditionPlace[] = [routePlace, exit, approval];
