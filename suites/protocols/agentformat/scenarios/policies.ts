import { type JsonObject, type Scenario, type ScenarioContext, TargetFailure } from "../../../../schemas/index.ts";
import { agentDocument, conditionOn, reactDocument, step } from "./documents.ts";
import { drawFrom } from "./draw.ts";
import {
  countOf,
  endOf,
  type Finished,
  isError,
  mustBeSupported,
  namesOf,
  outputOf,
  type RunSoFar,
  type Runtime,
  runtimeOf,
} from "./runtime.ts";

const input = { q: "tea" };

/** Skips a run that does not begin because the policy is not supported; otherwise it must not end so soon. */
function checkEarlyEnd(context: ScenarioContext, rule: string, run: RunSoFar): void {
  if (run.ending === undefined)
    throw new TargetFailure("timed-out", "answer", "the runtime calls nothing and does not end");
  const finished: Finished = { calls: run.calls, ending: run.ending };
  mustBeSupported(finished);
  context.expect(rule, false, `the run ${endOf(finished)} before everything was called`);
}

const sequenceScenario: Scenario = {
  name: "sequence-order",
  says: "steps run in the given order, each after the one before",
  rules: ["AGF-SEQ-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const names = drawFrom(context).aliases(3);
    const runtime = runtimeOf(context);
    const documentOf = (steps: readonly string[]) =>
      agentDocument("agf.sequential", { steps: steps.map((name) => step(name)) });
    // Once started, the runtime shows its speed here.
    mustBeSupported(await runtime.play({ document: documentOf(names.slice(0, 1)), input }));
    const run = await runtime.begin({ document: documentOf(names), input });
    for (const [index, name] of names.entries()) {
      const call = await run.next();
      if (call === undefined) return checkEarlyEnd(context, "AGF-SEQ-002", run);
      context.expect(
        "AGF-SEQ-002",
        call.about.name === name,
        `call ${index + 1} is of ${call.about.name}, not of ${name}`,
      );
      const early = await run.early();
      if (early !== undefined)
        return context.expect("AGF-SEQ-002", false, `${early.about.name} is called while ${name} is at work`);
      if (run.ending !== undefined)
        return context.expect("AGF-SEQ-002", false, `the run ends while ${name} is working`);
      await run.answer(call, { output: { r: index } });
    }
    const finished = await runtime.finish(run);
    context.expect(
      "AGF-SEQ-002",
      countOf(finished, "agent") === 3,
      `of 3 steps, ${countOf(finished, "agent")} are called`,
    );
    // An agent may have two steps. A runtime that declines this has shown nothing about it.
    const [first = "", second = ""] = names;
    const twice = [first, second, first];
    const repeated = await runtime.play({ document: documentOf(twice), input });
    if (isError(repeated) && repeated.calls.length === 0) return;
    const called = namesOf(repeated, "agent").join(", ");
    context.expect("AGF-SEQ-002", called === twice.join(", "), `the steps ${twice.join(", ")} become ${called}`);
  },
};

const parallelScenario: Scenario = {
  name: "parallel-together",
  says: "all agents work simultaneously, and the result waits for the last of them",
  rules: ["AGF-PAR-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-PAR-002";
    const runtime = runtimeOf(context);
    const { aliases, integer } = drawFrom(context);
    // More than a small pool of workers would run at once.
    const names = aliases(integer(9, 12));
    const documentOf = (agents: readonly string[]) =>
      agentDocument("agf.parallel", { agents: agents.map((name) => step(name)) });
    mustBeSupported(await runtime.play({ document: documentOf(names.slice(0, 1)), input }));
    const run = await runtime.begin({ document: documentOf(names), input });
    const calls = [];
    for (const _ of names) {
      const call = await run.next();
      if (call === undefined) {
        if (run.ending !== undefined) return checkEarlyEnd(context, rule, run);
        const waiting = names.filter((name) => !namesOf(run, "agent").includes(name));
        return context.expect(rule, false, `${waiting.join(" and ")} are not called while others are working`);
      }
      calls.push(call);
    }
    const last = calls.pop();
    for (const [index, call] of calls.entries()) await run.answer(call, { output: { [`r${index}`]: index } });
    await run.early();
    context.expect(rule, run.ending === undefined, `the run ends while ${last?.about.name} is at work`);
    if (run.ending !== undefined || last === undefined) return;
    await run.answer(last, { output: { late: true } });
    const finished = await runtime.finish(run);
    const made = countOf(finished, "agent");
    context.expect(rule, made === names.length, `of ${names.length} agents, ${made} calls are made`);
  },
};

const routes = ["r0", "r1", "r2", "r3"].map((name) => ({
  when: conditionOn(`parent.input.${name}`, "yes"),
  agent: name,
}));

/** An input that some routes match, and others do not. */
const matchNames = (names: readonly string[]): JsonObject => ({
  ...input,
  ...Object.fromEntries(routes.map(({ agent }) => [agent, names.includes(agent) ? "yes" : "no"])),
});

const conditional: Scenario[] = [
  {
    name: "routes-first",
    says: "only the first matching route is run, and the default agent is used if none matches",
    rules: ["AGF-COND-002"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const draw = drawFrom(context);
      const names = routes.map(({ agent }) => agent);
      const document = agentDocument("agf.conditional", { routes, default_agent: "desk" });
      const some = draw.shuffled(names).slice(0, 2);
      for (const matched of [names, names.slice(1), some, ["r3"], []]) {
        const finished = mustBeSupported(await runtime.play({ document, input: matchNames(matched) }));
        const called = namesOf(finished, "agent").join(", ");
        const wanted = names.find((name) => matched.includes(name)) ?? "desk";
        const what =
          matched.length === 0 ? "no route matches" : `the routes to ${[...matched].sort().join(", ")} match`;
        const why = `${what}: called is ${called || "no agent"} instead of ${wanted}; the run ${endOf(finished)}`;
        context.expect("AGF-COND-002", called === wanted, why);
      }
    },
  },
  {
    name: "routes-none",
    says: "without a match and a default agent, the run ends with an error and nothing is called",
    rules: ["AGF-COND-003"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const document = agentDocument("agf.conditional", { routes });
      const control = mustBeSupported(await runtime.play({ document, input: matchNames(["r2"]) }));
      if (outputOf(control) === undefined)
        return context.skip("AGF-COND-003", `a matching route is not run either: the run ${endOf(control)}`);
      const finished = await runtime.play({ document, input: matchNames([]) });
      context.expect("AGF-COND-003", isError(finished), `no route matches, and the run ${endOf(finished)}`);
      context.expect(
        "AGF-COND-003",
        finished.calls.length === 0,
        `no route matches, and ${namesOf(finished, "agent").join(", ")} is called`,
      );
    },
  },
];

/** Whether at least one of some documents runs to its output. */
async function runsAny(runtime: Runtime, documents: readonly JsonObject[]): Promise<boolean> {
  for (const document of documents) if (outputOf(await runtime.play({ document, input })) !== undefined) return true;
  return false;
}

const unknownPolicyScenario: Scenario = {
  name: "policy-unknown",
  says: "an unknown policy is declined before anything is called",
  rules: ["AGF-POL-006"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const first = step("worker");
    const known = [
      reactDocument(),
      agentDocument("agf.sequential", { steps: [first] }),
      agentDocument("agf.parallel", { agents: [first] }),
      agentDocument("agf.loop", { steps: [first], max_iterations: 1 }),
      agentDocument("agf.conditional", { routes: [{ when: conditionOn("parent.input.q", "tea"), ...first }] }),
    ];
    if (!(await runsAny(runtime, known))) return context.skip("AGF-POL-006", "no known policy runs either");
    for (const id of ["x-touchstone.no_such_policy", "agf.no_such_policy"]) {
      const document = agentDocument(id, {
        steps: [first],
        agents: [first],
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

export const policies: readonly Scenario[] = [
  sequenceScenario,
  parallelScenario,
  ...conditional,
  unknownPolicyScenario,
];
