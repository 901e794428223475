import { type JsonObject, type Scenario, type ScenarioContext, TargetFailure } from "../../../../schemas/index.ts";
import { agentDocument, conditionOn, reactDocument, step } from "./documents.ts";
import { drawFrom } from "./draw.ts";
import {
  countOf,
  endOf,
  type FinishedRun,
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
function checkEarlyEnd(context: ScenarioContext, rule: string, runSoFar: RunSoFar): void {
  if (runSoFar.ending === undefined)
    throw new TargetFailure("timed-out", "answer", "the runtime calls nothing and does not end");
  const result: FinishedRun = { calls: runSoFar.calls, ending: runSoFar.ending };
  mustBeSupported(result);
  context.expect(rule, false, `the run ${endOf(result)} before everything was called`);
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
    // The runtime has started, so this run shows its speed.
    mustBeSupported(await runtime.play({ document: documentOf(names.slice(0, 1)), input }));
    const runSoFar = await runtime.begin({ document: documentOf(names), input });
    for (const [index, name] of names.entries()) {
      const call = await runSoFar.next();
      if (call === undefined) return checkEarlyEnd(context, "AGF-SEQ-002", runSoFar);
      context.expect(
        "AGF-SEQ-002",
        call.about.name === name,
        `call ${index + 1} is of ${call.about.name}, not of ${name}`,
      );
      const earlyCall = await runSoFar.nextUnexpectedCall();
      if (earlyCall !== undefined)
        return context.expect("AGF-SEQ-002", false, `${earlyCall.about.name} is called while ${name} is at work`);
      if (runSoFar.ending !== undefined)
        return context.expect("AGF-SEQ-002", false, `the run ends while ${name} is working`);
      await runSoFar.answer(call, { output: { r: index } });
    }
    const result = await runtime.finish(runSoFar);
    context.expect("AGF-SEQ-002", countOf(result, "agent") === 3, `of 3 steps, ${countOf(result, "agent")} are called`);
    // An agent may have two steps. A runtime that declines this has shown nothing about it.
    const [first = "", second = ""] = names;
    const repeatedNames = [first, second, first];
    const repeatedResult = await runtime.play({ document: documentOf(repeatedNames), input });
    if (isError(repeatedResult) && repeatedResult.calls.length === 0) return;
    const calledText = namesOf(repeatedResult, "agent").join(", ");
    context.expect(
      "AGF-SEQ-002",
      calledText === repeatedNames.join(", "),
      `the steps ${repeatedNames.join(", ")} become ${calledText}`,
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
    // More than a small pool of workers would run at once.
    const names = aliases(integer(9, 12));
    const documentOf = (agents: readonly string[]) =>
      agentDocument("agf.parallel", { agents: agents.map((name) => step(name)) });
    mustBeSupported(await runtime.play({ document: documentOf(names.slice(0, 1)), input }));
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
    context.expect(rule, runSoFar.ending === undefined, `the run ends while ${last?.about.name} is at work`);
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

/** An input that only some routes match. */
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
      const someNames = draw.shuffled(names).slice(0, 2);
      for (const matchedNames of [names, names.slice(1), someNames, ["r3"], []]) {
        const result = mustBeSupported(await runtime.play({ document, input: matchNames(matchedNames) }));
        const calledText = namesOf(result, "agent").join(", ");
        const expectedName = names.find((name) => matchedNames.includes(name)) ?? "desk";
        const inputText =
          matchedNames.length === 0 ? "no route matches" : `the routes to ${[...matchedNames].sort().join(", ")} match`;
        const why = `${inputText}: called is ${calledText || "no agent"} instead of ${expectedName}; the run ${endOf(result)}`;
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
      const control = mustBeSupported(await runtime.play({ document, input: matchNames(["r2"]) }));
      if (outputOf(control) === undefined)
        return context.skip("AGF-COND-003", `a matching route is not run either: the run ${endOf(control)}`);
      const result = await runtime.play({ document, input: matchNames([]) });
      context.expect("AGF-COND-003", isError(result), `no route matches, and the run ${endOf(result)}`);
      context.expect(
        "AGF-COND-003",
        result.calls.length === 0,
        `no route matches, and ${namesOf(result, "agent").join(", ")} is called`,
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
    const supportedDocuments = [
      reactDocument(),
      agentDocument("agf.sequential", { steps: [first] }),
      agentDocument("agf.parallel", { agents: [first] }),
      agentDocument("agf.loop", { steps: [first], max_iterations: 1 }),
      agentDocument("agf.conditional", { routes: [{ when: conditionOn("parent.input.q", "tea"), ...first }] }),
    ];
    if (!(await runsAny(runtime, supportedDocuments)))
      return context.skip("AGF-POL-006", "no known policy runs either");
    for (const id of ["x-touchstone.no_such_policy", "agf.no_such_policy"]) {
      const document = agentDocument(id, {
        steps: [first],
        agents: [first],
        instructions: "Go.",
        model: "small-1",
      });
      const result = await runtime.play({ document, input });
      context.expect(
        "AGF-POL-006",
        result.calls.length === 0,
        `${id} is unknown, and ${result.calls.length} calls are made`,
      );
      context.expect("AGF-POL-006", isError(result), `${id} is unknown, and the run ${endOf(result)}`);
    }
  },
};

export const policies: readonly Scenario[] = [
  sequenceScenario,
  parallelScenario,
  ...conditional,
  unknownPolicyScenario,
];
