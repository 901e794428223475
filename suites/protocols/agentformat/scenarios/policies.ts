import { type Scenario, type ScenarioContext, TargetFailure } from "../../../../schemas/index.ts";
import { agentDocument, step, when } from "./documents.ts";
import {
  countOf,
  endOf,
  type Finished,
  isError,
  namesOf,
  outputOf,
  type RunSoFar,
  runtimeOf,
  supported,
} from "./runtime.ts";

const input = { q: "tea", kind: "bill" };
/** Milliseconds in which a runtime that does not wait gives itself away; one that waits loses nothing but them. */
const moment = 250;

/** Skips a run that does not begin because the policy is not supported, and otherwise says that it must not end so soon. */
function endedEarly(context: ScenarioContext, rule: string, run: RunSoFar): void {
  if (run.ending === undefined)
    throw new TargetFailure("timed-out", "answer", "the runtime calls nothing and does not end");
  const finished: Finished = { calls: run.calls, ending: run.ending };
  supported(finished);
  context.expect(rule, false, `the run ${endOf(finished)} before everything was called`);
}

const sequence: Scenario = {
  name: "sequence-order",
  says: "steps run in the order written, each after the one ahead of it",
  rules: ["AGF-SEQ-002"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const names = ["second", "first", "third"];
    const runtime = runtimeOf(context);
    const document = agentDocument("agf.sequential", { steps: names.map((name) => step(name)) });
    const run = await runtime.begin({ document, input });
    for (const [index, name] of names.entries()) {
      const call = await run.next();
      if (call === undefined) return endedEarly(context, "AGF-SEQ-002", run);
      context.expect(
        "AGF-SEQ-002",
        call.about.name === name,
        `call ${index + 1} is of ${call.about.name}, not of ${name}`,
      );
      const early = await run.next(moment);
      if (early !== undefined)
        return context.expect("AGF-SEQ-002", false, `${early.about.name} is called while ${name} is at work`);
      if (run.ending !== undefined)
        return context.expect("AGF-SEQ-002", false, `the run ends while ${name} is at work`);
      await run.answer(call, { output: { r: index } });
    }
    const finished = await runtime.finish(run);
    context.expect(
      "AGF-SEQ-002",
      countOf(finished, "agent") === 3,
      `of 3 steps, ${countOf(finished, "agent")} are called`,
    );
  },
};

const parallel: Scenario = {
  name: "parallel-together",
  says: "all agents are at work together, and the result waits for the last of them",
  rules: ["AGF-PAR-002"],
  needs: [],
  withinMs: 40_000,
  async play(context) {
    const rule = "AGF-PAR-002";
    const runtime = runtimeOf(context);
    const names = ["left", "right"];
    const run = await runtime.begin({
      document: agentDocument("agf.parallel", { agents: names.map((name) => step(name)) }),
      input,
    });
    const calls = [];
    for (const _ of names) {
      const call = await run.next();
      if (call === undefined) {
        if (run.ending !== undefined) return endedEarly(context, rule, run);
        const waiting = names.filter((name) => !namesOf(run, "agent").includes(name));
        return context.expect(rule, false, `${waiting.join(" and ")} are not called while others are at work`);
      }
      calls.push(call);
    }
    const last = calls.pop();
    for (const [index, call] of calls.entries()) await run.answer(call, { output: { [`r${index}`]: index } });
    await run.next(moment);
    context.expect(rule, run.ending === undefined, `the run ends while ${last?.about.name} is at work`);
    if (run.ending !== undefined || last === undefined) return;
    await run.answer(last, { output: { late: true } });
    const finished = await runtime.finish(run);
    context.expect(rule, countOf(finished, "agent") === 2, `of 2 agents, ${countOf(finished, "agent")} calls are made`);
  },
};

const loopConfig = { steps: [step("poet"), step("critic")] };

const loops: Scenario[] = [
  {
    name: "loop-exit",
    says: "a loop looks at its exit condition after each round, and is bounded all the same",
    rules: ["AGF-LOOP-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const runtime = runtimeOf(context);
      for (const [scores, max, rounds] of [
        [[0.1, 0.5, 0.9], undefined, 3],
        [[0.9], undefined, 1],
        [[0.1], 4, 4],
      ] as const) {
        const config = {
          ...loopConfig,
          ...(max === undefined ? {} : { max_iterations: max }),
          exit_condition: when("critic.output.score", { gte: 0.8 }),
        };
        let judged = 0;
        const finished = supported(
          await runtime.play(
            { document: agentDocument("agf.loop", config), input },
            {
              agent: ({ name }) => {
                if (name === "critic") judged += 1;
                return { output: { score: scores[Math.min(Math.max(judged, 1), scores.length) - 1] ?? 0 } };
              },
            },
          ),
        );
        const what =
          max === undefined
            ? `scores ${scores.join(", ")} against gte 0.8`
            : `a condition that never holds, at most ${max}`;
        context.expect(
          "AGF-LOOP-002",
          judged === rounds,
          `${what}: ${judged} rounds instead of ${rounds}; the run ${endOf(finished)}`,
        );
      }
    },
  },
  {
    name: "loop-rounds",
    says: "a loop without an exit condition runs max_iterations rounds",
    rules: ["AGF-LOOP-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const runtime = runtimeOf(context);
      for (const max of [3, 1, undefined]) {
        const config = { ...loopConfig, ...(max === undefined ? {} : { max_iterations: max }) };
        const finished = supported(await runtime.play({ document: agentDocument("agf.loop", config), input }));
        const rounds = namesOf(finished, "agent").filter((name) => name === "critic").length;
        const what = max === undefined ? "max_iterations absent, which means 10" : `max_iterations ${max}`;
        context.expect("AGF-LOOP-003", rounds === (max ?? 10), `${what}: ${rounds} rounds; the run ${endOf(finished)}`);
      }
    },
  },
];

const batch: Scenario = {
  name: "batch-items",
  says: "a batch runs its agent once for each item, up to max_batch_count",
  rules: ["AGF-BATCH-003"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const five = [1, 2, 3, 4, 5].map((n) => ({ n }));
    for (const [items, max, wanted] of [
      [five, 0, 5],
      [five, undefined, 5],
      [five, 2, 2],
      [five, 9, 5],
      [[], undefined, 0],
    ] as const) {
      const mapping = { n: "parent.input.items.[].n" };
      const config = {
        agent: "worker",
        input_mapping: mapping,
        ...(max === undefined ? {} : { max_batch_count: max }),
      };
      const finished = supported(
        await runtime.play({ document: agentDocument("agf.batch", config), input: { items: [...items] } }),
      );
      const count = countOf(finished, "agent");
      const what = `${items.length} items, max_batch_count ${max ?? "absent"}`;
      context.expect(
        "AGF-BATCH-003",
        count === wanted,
        `${what}: ${count} calls instead of ${wanted}; the run ${endOf(finished)}`,
      );
    }
  },
};

const routes = [
  { when: when("parent.input.kind", "bill"), agent: "billing" },
  { when: when("parent.input.q", "tea"), agent: "kitchen" },
];

const conditional: Scenario[] = [
  {
    name: "routes-first",
    says: "the first route that matches is the only one taken, and the default agent steps in where none does",
    rules: ["AGF-COND-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const document = agentDocument("agf.conditional", { routes, default_agent: "desk" });
      for (const [what, given, wanted] of [
        ["both routes match", input, "billing"],
        ["the second matches", { q: "tea", kind: "x" }, "kitchen"],
        ["none matches", { q: "x", kind: "x" }, "desk"],
      ] as const) {
        const finished = supported(await runtime.play({ document, input: given }));
        const called = namesOf(finished, "agent").join(", ");
        context.expect(
          "AGF-COND-002",
          called === wanted,
          `${what}: called is ${called || "nobody"} instead of ${wanted}; the run ${endOf(finished)}`,
        );
      }
    },
  },
  {
    name: "routes-none",
    says: "without a match and a default agent, the run ends in an error and nothing is called",
    rules: ["AGF-COND-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const document = agentDocument("agf.conditional", { routes });
      const control = supported(await runtime.play({ document, input }));
      if (outputOf(control) === undefined)
        return context.skip("AGF-COND-003", `a route that matches is not taken either: the run ${endOf(control)}`);
      const finished = await runtime.play({ document, input: { q: "x", kind: "x" } });
      context.expect("AGF-COND-003", isError(finished), `no route matches, and the run ${endOf(finished)}`);
      context.expect(
        "AGF-COND-003",
        finished.calls.length === 0,
        `no route matches, and ${namesOf(finished, "agent").join(", ")} is called`,
      );
    },
  },
];

const unknown: Scenario = {
  name: "policy-unknown",
  says: "a policy that the runtime does not know is declined before anything is called",
  rules: ["AGF-POL-006"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const runtime = runtimeOf(context);
    for (const id of ["x-touchstone.no_such_policy", "agf.no_such_policy"]) {
      const document = agentDocument(id, {
        steps: [step("first")],
        agents: [step("first")],
        instructions: "Go.",
        model: "small-1",
      });
      const finished = await runtime.play({ document, input });
      context.expect(
        "AGF-POL-006",
        finished.calls.length === 0,
        `${id} is unknown, and ${finished.calls.length} calls are made`,
      );
      context.expect("AGF-POL-006", isError(finished), `${id} is unknown, and the run ${endOf(finished)}`);
    }
  },
};

export const policies: readonly Scenario[] = [sequence, parallel, ...loops, batch, ...conditional, unknown];
