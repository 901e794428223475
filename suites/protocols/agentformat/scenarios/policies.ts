import { type JsonObject, type Scenario, type ScenarioContext, TargetFailure } from "../../../../schemas/index.ts";
import { agentDocument, conditionOn, reactDocument, step } from "./documents.ts";
import { drawFrom } from "./draw.ts";
import {
  countOf,
  describeEnd,
  type FinishedRun,
  isError,
  namesOf,
  outputOf,
  type RunInProgress,
  type Runtime,
  requireSupport,
  runtimeOf,
} from "./runtime.ts";

const input = { q: "tea" };

/** Handles a run without the expected call. Skips it if the runtime does not support the policy, and otherwise reports the early end. */
function checkEarlyEnd(context: ScenarioContext, rule: string, runSoFar: RunInProgress): void {
  if (runSoFar.ending === undefined)
    throw new TargetFailure("timed-out", "answer", "the runtime calls nothing and does not end");
  const result: FinishedRun = { calls: runSoFar.calls, ending: runSoFar.ending };
  requireSupport(result);
  context.expect(rule, false, `the run ${describeEnd(result)} before everything was called`);
}

const sequenceScenario: Scenario = {
  name: "sequence-order",
  says: "steps run in the given order, one after the other",
  rules: ["AGF-SEQ-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const names = drawFrom(context).aliases(3);
    const runtime = runtimeOf(context);
    const documentOf = (steps: readonly string[]) =>
      agentDocument("agf.sequential", { steps: steps.map((name) => step(name)) });
    // A first run lets the runtime start, so that the next one shows its speed.
    requireSupport(await runtime.play({ document: documentOf(names.slice(0, 1)), input }));
    const runSoFar = await runtime.begin({ document: documentOf(names), input });
    for (const [index, name] of names.entries()) {
      const call = await runSoFar.next();
      if (call === undefined) return checkEarlyEnd(context, "AGF-SEQ-002", runSoFar);
      context.expect(
        "AGF-SEQ-002",
        call.about.name === name,
        `call ${index + 1} is to ${call.about.name}, not to ${name}`,
      );
      const earlyCall = await runSoFar.nextUnexpectedCall();
      if (earlyCall !== undefined)
        return context.expect("AGF-SEQ-002", false, `${earlyCall.about.name} is called while ${name} is working`);
      if (runSoFar.ending !== undefined)
        return context.expect("AGF-SEQ-002", false, `the run ends while ${name} is working`);
      await runSoFar.answer(call, { output: { r: index } });
    }
    const result = await runtime.finish(runSoFar);
    context.expect("AGF-SEQ-002", countOf(result, "agent") === 3, `of 3 steps, ${countOf(result, "agent")} are called`);
    // An agent may have two steps. If the runtime declines this, the order is not checked.
    const [first = "", second = ""] = names;
    const repeatedNames = [first, second, first];
    const repeatedResult = await runtime.play({ document: documentOf(repeatedNames), input });
    if (isError(repeatedResult) && repeatedResult.calls.length === 0) return;
    const calledText = namesOf(repeatedResult, "agent").join(", ");
    context.expect(
      "AGF-SEQ-002",
      calledText === repeatedNames.join(", "),
      `the steps are ${repeatedNames.join(", ")}, but the calls are ${calledText}`,
    );
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
    // More agents than a small pool of workers would run at the same time.
    const names = aliases(integer(9, 12));
    const documentOf = (agents: readonly string[]) =>
      agentDocument("agf.parallel", { agents: agents.map((name) => step(name)) });
    requireSupport(await runtime.play({ document: documentOf(names.slice(0, 1)), input }));
    const runSoFar = await runtime.begin({ document: documentOf(names), input });
    const calls = [];
    for (const _ of names) {
      const call = await runSoFar.next();
      if (call === undefined) {
        if (runSoFar.ending !== undefined) return checkEarlyEnd(context, rule, runSoFar);
        const uncalled = names.filter((name) => !namesOf(runSoFar, "agent").includes(name));
        return context.expect(rule, false, `${uncalled.join(" and ")} are not called while others are working`);
      }
      calls.push(call);
    }
    const last = calls.pop();
    for (const [index, call] of calls.entries()) await runSoFar.answer(call, { output: { [`r${index}`]: index } });
    await runSoFar.nextUnexpectedCall();
    context.expect(rule, runSoFar.ending === undefined, `the run ends while ${last?.about.name} is working`);
    if (runSoFar.ending !== undefined || last === undefined) return;
    await runSoFar.answer(last, { output: { late: true } });
    const result = await runtime.finish(runSoFar);
    const callCount = countOf(result, "agent");
    context.expect(rule, callCount === names.length, `of ${names.length} agents, ${callCount} calls are made`);
  },
};

const routes = ["r0", "r1", "r2", "r3"].map((name) => ({
  when: conditionOn(`parent.input.${name}`, "yes"),
  agent: name,
}));

/** An input that only the routes with these names match. */
const inputMatching = (names: readonly string[]): JsonObject => ({
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
      const twoNames = draw.shuffled(names).slice(0, 2);
      for (const matchedNames of [names, names.slice(1), twoNames, ["r3"], []]) {
        const result = requireSupport(await runtime.play({ document, input: inputMatching(matchedNames) }));
        const calledText = namesOf(result, "agent").join(", ");
        const expectedName = names.find((name) => matchedNames.includes(name)) ?? "desk";
        const inputText =
          matchedNames.length === 0 ? "no route matches" : `the routes to ${[...matchedNames].sort().join(", ")} match`;
        const why = `${inputText}: the runtime called ${calledText || "no agent"} instead of ${expectedName}; the run ${describeEnd(result)}`;
        context.expect("AGF-COND-002", calledText === expectedName, why);
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
      const control = requireSupport(await runtime.play({ document, input: inputMatching(["r2"]) }));
      if (outputOf(control) === undefined)
        return context.skip("AGF-COND-003", `the run ${describeEnd(control)} even if a route matches`);
      const result = await runtime.play({ document, input: inputMatching([]) });
      context.expect("AGF-COND-003", isError(result), `no route matches, but the run ${describeEnd(result)}`);
      context.expect(
        "AGF-COND-003",
        result.calls.length === 0,
        `no route matches, but ${namesOf(result, "agent").join(", ")} is called`,
      );
    },
  },
];

/** Whether at least one of some documents runs to its output. */
async function canRunAny(runtime: Runtime, documents: readonly JsonObject[]): Promise<boolean> {
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
    const workerStep = step("worker");
    const supportedDocuments = [
      reactDocument(),
      agentDocument("agf.sequential", { steps: [workerStep] }),
      agentDocument("agf.parallel", { agents: [workerStep] }),
      agentDocument("agf.loop", { steps: [workerStep], max_iterations: 1 }),
      agentDocument("agf.conditional", { routes: [{ when: conditionOn("parent.input.q", "tea"), ...workerStep }] }),
    ];
    if (!(await canRunAny(runtime, supportedDocuments)))
      return context.skip("AGF-POL-006", "the runtime does not run any known policy either");
    for (const id of ["x-touchstone.no_such_policy", "agf.no_such_policy"]) {
      const document = agentDocument(id, {
        steps: [workerStep],
        agents: [workerStep],
        instructions: "Go.",
        model: "small-1",
      });
      const result = await runtime.play({ document, input });
      context.expect(
        "AGF-POL-006",
        result.calls.length === 0,
        `${id} is unknown, but ${result.calls.length} calls are made`,
      );
      context.expect("AGF-POL-006", isError(result), `${id} is unknown, but the run ${describeEnd(result)}`);
    }
  },
};

export const policyScenarios: readonly Scenario[] = [
  sequenceScenario,
  parallelScenario,
  ...conditional,
  unknownPolicyScenario,
];
