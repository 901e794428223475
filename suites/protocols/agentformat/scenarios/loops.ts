import type { Json, JsonObject, Scenario } from "../../../../schemas/index.ts";
import { agentDocument, conditionOn, step } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import { countOf, describeEnd, namesOf, requireSupport, runtimeOf } from "./runtime.ts";

const input = { q: "tea", stop: true };

/** A loop of a poet and a critic, with their outputs in each round and the expected number of rounds. */
interface Loop {
  description: string;
  exit: Json;
  max?: number;
  poet?(round: number): JsonObject;
  critic?(round: number): JsonObject;
  rounds: number;
}

/** How far an insufficient score is below the sufficient one. */
const scoreMargin = 0.4;

/** Loops that end in different rounds, with random bounds. */
function loopsOf(draw: Draw): Loop[] {
  const max = draw.integer(3, 6);
  const end = draw.integer(2, 3);
  const score = draw.integer(5, 9) / 10;
  return [...loopsOfCritic({ max, end, score }), ...loopsOfOthers({ max, end, score }, draw)];
}

/** `max_iterations`, the round in which a loop ends, and the sufficient score. */
interface LoopBounds {
  max: number;
  end: number;
  score: number;
}

/** An output that contains the number of the round. */
function outputOfRound(round: number): JsonObject {
  return { n: round };
}

/** Loops with a condition on the critic's output. */
function loopsOfCritic({ max, end, score }: LoopBounds): Loop[] {
  return [
    {
      description: `a score of ${score} from round ${end} on, against gte ${score}`,
      exit: conditionOn("critic.output.score", { gte: score }),
      critic: (round) => ({ score: round < end ? score - scoreMargin : score }),
      rounds: end,
    },
    {
      description: "a sufficient score from the first round on",
      exit: conditionOn("critic.output.score", { gte: score }),
      critic: () => ({ score }),
      rounds: 1,
    },
    {
      description: `a condition that never matches, max_iterations ${max}`,
      exit: conditionOn("critic.output.score", { gte: score }),
      max,
      critic: () => ({ score: score - scoreMargin }),
      rounds: max,
    },
    {
      description: "a condition that never matches, max_iterations absent, which means 10",
      exit: conditionOn("critic.output.score", { gt: score }),
      critic: () => ({ score }),
      rounds: 10,
    },
    {
      description: "a condition that matches in the last permitted round",
      exit: conditionOn("critic.output.n", max),
      max,
      critic: outputOfRound,
      rounds: max,
    },
  ];
}

/** Loops with a condition on the input, or on the poet's output. */
function loopsOfOthers({ max, end, score }: LoopBounds, { pick }: Draw): Loop[] {
  return [
    {
      description: "a condition on the input that matches from the start",
      exit: conditionOn("parent.input.stop", true),
      max,
      rounds: 1,
    },
    {
      description: `a condition only on the first step, which matches in round ${end}`,
      exit: conditionOn("poet.output.n", pick([{ gte: end }, end])),
      poet: outputOfRound,
      rounds: end,
    },
    {
      description: "a condition that matches only between two steps, when one of them is a round ahead",
      exit: { args_match: { "poet.output.n": { gte: 2 }, "critic.output.n": 1 } },
      max: 3,
      poet: outputOfRound,
      critic: outputOfRound,
      rounds: 3,
    },
    {
      description: `two groups, and one matches in round ${end}`,
      exit: [conditionOn("critic.output.score", { gt: 1 }), conditionOn("poet.output.n", end)],
      poet: outputOfRound,
      critic: () => ({ score }),
      rounds: end,
    },
  ];
}

const steps = [step("poet"), step("critic")];

const exitScenario: Scenario = {
  name: "loop-exit",
  says: "a loop checks its exit condition after each round, and is still bounded",
  rules: ["AGF-LOOP-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    for (const { description, exit, max, rounds, poet, critic } of loopsOf(drawFrom(context))) {
      const config = { steps, exit_condition: exit, ...(max === undefined ? {} : { max_iterations: max }) };
      const callCounts: Record<string, number> = {};
      const agent = ({ name }: JsonObject): JsonObject => {
        const alias = String(name);
        const round = (callCounts[alias] ?? 0) + 1;
        callCounts[alias] = round;
        return { output: (alias === "poet" ? poet : critic)?.(round) ?? {} };
      };
      const document = agentDocument("agf.loop", config);
      const result = requireSupport(await runtime.play({ document, input }, { agent }));
      const calledNames = namesOf(result, "agent").join();
      const expectedNames = Array.from({ length: rounds }, () => "poet,critic").join();
      const why = `${description}: the runtime called ${calledNames || "no agents"} instead of ${rounds} rounds of poet and critic`;
      context.expect("AGF-LOOP-002", calledNames === expectedNames, `${why}; the run ${describeEnd(result)}`);
    }
  },
};

const roundScenario: Scenario = {
  name: "loop-rounds",
  says: "a loop without an exit condition runs max_iterations rounds",
  rules: ["AGF-LOOP-003"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const draw = drawFrom(context);
    for (const max of [draw.integer(2, 6), 1, undefined, 12]) {
      const config = { steps, ...(max === undefined ? {} : { max_iterations: max }) };
      const result = requireSupport(await runtime.play({ document: agentDocument("agf.loop", config), input }));
      const count = namesOf(result, "agent").filter((name) => name === "critic").length;
      const limitText = max === undefined ? "max_iterations absent, which means 10" : `max_iterations ${max}`;
      context.expect(
        "AGF-LOOP-003",
        count === (max ?? 10),
        `${limitText}: ${count} rounds; the run ${describeEnd(result)}`,
      );
    }
  },
};

const batchScenario: Scenario = {
  name: "batch-items",
  says: "a batch runs its agent once for each item, up to max_batch_count",
  rules: ["AGF-BATCH-003"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const { integer } = drawFrom(context);
    const itemCount = integer(4, 8);
    for (const [length, max, expectedCalls] of [
      [itemCount, 0, itemCount],
      [itemCount, undefined, itemCount],
      [itemCount, 1, 1],
      [itemCount, itemCount - 1, itemCount - 1],
      [itemCount, itemCount, itemCount],
      [itemCount, itemCount + 1, itemCount],
      [1, undefined, 1],
      [0, undefined, 0],
      [0, 2, 0],
      [13, undefined, 13],
    ] as const) {
      const config = {
        agent: "worker",
        input_mapping: { n: "parent.input.items.[].n" },
        ...(max === undefined ? {} : { max_batch_count: max }),
      };
      const items = Array.from({ length }, (_, n) => ({ n }));
      const document = agentDocument("agf.batch", config);
      const result = requireSupport(await runtime.play({ document, input: { items } }));
      const count = countOf(result, "agent");
      const limitText = `${length} items, max_batch_count ${max ?? "absent"}`;
      const why = `${limitText}: ${count} calls instead of ${expectedCalls}; the run ${describeEnd(result)}`;
      context.expect("AGF-BATCH-003", count === expectedCalls, why);
    }
    const items = [0, 1, "", 1, false, [], {}];
    const config = { agent: "worker", input_mapping: { n: "parent.input.items.[]" } };
    const result = requireSupport(
      await runtime.play({ document: agentDocument("agf.batch", config), input: { items } }),
    );
    const count = countOf(result, "agent");
    const why = `the items ${JSON.stringify(items)}: ${count} calls instead of ${items.length}; the run ${describeEnd(result)}`;
    context.expect("AGF-BATCH-003", count === items.length, why);
  },
};

/** Policies that call an agent more than once. */
export const loopScenarios: readonly Scenario[] = [roundScenario, batchScenario];

/** Loops with exit conditions. They are played after the mappings, whose paths they use. */
export const loopExitScenarios: readonly Scenario[] = [exitScenario];
