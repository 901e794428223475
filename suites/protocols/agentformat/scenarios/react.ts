import {
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { callingAll, callOf, reactDocument } from "./documents.ts";
import { drawFrom } from "./draw.ts";
import {
  countOf,
  describeEnd,
  type FinishedRun,
  namesOf,
  outputOf,
  type Runtime,
  requireSupport,
  runtimeOf,
} from "./runtime.ts";

/** The first request to the model. */
function firstModelRequest({ calls }: Pick<FinishedRun, "calls">): JsonObject {
  return calls.find(({ kind }) => kind === "model")?.about ?? {};
}

/** The content of the messages with a role; without a role, of all messages. */
function contentOf({ messages }: JsonObject, role?: string): string {
  const selected = Array.isArray(messages) ? messages.filter(isObject) : [];
  return selected
    .filter((message) => role === undefined || message.role === role)
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content ?? "")))
    .join("\n");
}

const isOffered = ({ tools }: JsonObject): boolean => Array.isArray(tools) && tools.length > 0;

const allowedScenarios = (["server", "remote agent"] as const).map((ownerKind): Scenario => {
  const isServer = ownerKind === "server";
  return {
    name: isServer ? "allowed-tools" : "allowed-skills",
    says: `a model can call the listed names of a ${ownerKind}, and nothing else`,
    rules: ["AGF-ACT-008"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const draw = drawFrom(context);
      const [readTool = "", listTool = "", writeTool = ""] = draw.aliases(3);
      const allowedTools = [readTool, listTool];
      const space = isServer
        ? { mcp_servers: [{ alias: "files", allowed_tools: [readTool, { name: listTool }] }] }
        : { remote_agents: [{ alias: "files", allowed_skills: [readTool, { id: listTool }] }] };
      const document = reactDocument({}, { action_space: space });
      const forbiddenTools = [writeTool, `${readTool}s`, readTool.slice(0, -1)];
      for (const name of [...allowedTools, ...forbiddenTools]) {
        const order = {
          document,
          input: { q: "tea" },
          tools: { files: draw.shuffled([...allowedTools, ...forbiddenTools]) },
        };
        const result = requireSupport(
          await runtime.play(order, {
            model: (_, count) => (count === 1 ? callOf(`files.${name}`) : { content: "done" }),
          }),
        );
        const isCalled = [...namesOf(result, "tool"), ...namesOf(result, "agent")].includes(`files.${name}`);
        const why = isCalled
          ? `files.${name} is called, but the list does not contain it`
          : `files.${name} is not called, but the list contains it`;
        context.expect(
          "AGF-ACT-008",
          isCalled === allowedTools.includes(name),
          `${why}; the run ${describeEnd(result)}`,
        );
      }
      await checkCallAfterAllowed(context, runtime, { document, allowedTools, forbiddenTools });
    },
  };
});

/** Checks an answer with an allowed call that a forbidden one follows. */
async function checkCallAfterAllowed(
  context: ScenarioContext,
  runtime: Runtime,
  {
    document,
    allowedTools,
    forbiddenTools,
  }: { document: JsonObject; allowedTools: readonly string[]; forbiddenTools: readonly string[] },
): Promise<void> {
  const order = { document, input: { q: "tea" }, tools: { files: [...allowedTools, ...forbiddenTools] } };
  for (const name of forbiddenTools) {
    const answer = callingAll([allowedTools[0] ?? "", name].map((tool) => [`files.${tool}`]));
    const result = await runtime.play(order, { model: (_, count) => (count === 1 ? answer : { content: "done" }) });
    const isCalled = [...namesOf(result, "tool"), ...namesOf(result, "agent")].includes(`files.${name}`);
    const why = `files.${name} is called after files.${allowedTools[0]} in one answer, although the list does not contain it`;
    context.expect("AGF-ACT-008", !isCalled, `${why}; the run ${describeEnd(result)}`);
  }
}

const roundScenario: Scenario = {
  name: "react-steps",
  says: "the model has at most max_steps rounds",
  rules: ["AGF-REACT-004"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const { integer } = drawFrom(context);
    for (const max of [integer(2, 6), 1, undefined, 12]) {
      const document = reactDocument(max === undefined ? {} : { max_steps: max });
      const result = requireSupport(
        await runtime.play({ document, input: { q: "tea" } }, { model: () => callOf("look") }),
      );
      const [modelCalls, toolCalls] = [countOf(result, "model"), countOf(result, "tool")];
      const maxRounds = max ?? 10;
      if (toolCalls === 0 && maxRounds > 1) {
        context.skip(
          "AGF-REACT-004",
          `max_steps ${max ?? "absent"}: no tool is called; the run ${describeEnd(result)}`,
        );
        continue;
      }
      // After the last round, the model may still be asked for a final answer.
      const isBounded = toolCalls <= maxRounds && modelCalls <= maxRounds + 1;
      context.expect(
        "AGF-REACT-004",
        isBounded,
        `max_steps ${max ?? "absent, which means 10"}: the model is asked ${modelCalls} times and acts ${toolCalls} times; the run ${describeEnd(result)}`,
      );
    }
  },
};

const choiceScenario: Scenario = {
  name: "react-tool-choice",
  says: "tool_choice forbids tools, or requires them",
  rules: ["AGF-REACT-005"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-REACT-005";
    const runtime = runtimeOf(context);
    const input = { q: "tea" };
    // The model calls the tool unless the request forbids it.
    const model = (about: JsonObject, count: number): JsonObject =>
      about.tool_choice !== "none" && isOffered(about) && count === 1 ? callOf("look") : { content: "done" };
    const control = requireSupport(await runtime.play({ document: reactDocument(), input }, { model }));
    if (countOf(control, "tool") === 0)
      return context.skip(rule, `even without a tool_choice no tool is called; the run ${describeEnd(control)}`);
    const resultWithNone = requireSupport(
      await runtime.play({ document: reactDocument({ tool_choice: "none" }), input }, { model }),
    );
    context.expect(
      rule,
      countOf(resultWithNone, "model") > 0,
      `tool_choice none: the model is not asked; the run ${describeEnd(resultWithNone)}`,
    );
    context.expect(
      rule,
      countOf(resultWithNone, "tool") === 0,
      "tool_choice none: tools are offered to the model and called",
    );
    // Nothing prevents a model from requesting a tool that was not offered.
    const strayModel = (_: JsonObject, count: number): JsonObject =>
      count === 1 ? callOf("look") : { content: "done" };
    const strayResult = await runtime.play(
      { document: reactDocument({ tool_choice: "none" }), input },
      { model: strayModel },
    );
    const why = "tool_choice none: the model requests a tool anyway, and it is called";
    context.expect(rule, countOf(strayResult, "tool") === 0, why, "SHOULD");
    const resultWithRequired = requireSupport(
      await runtime.play(
        { document: reactDocument({ tool_choice: "required", max_steps: 3 }), input },
        {
          model: (about) => (about.tool_choice === "required" ? callOf("look") : { content: "done" }),
        },
      ),
    );
    const isRequirementKept =
      firstModelRequest(resultWithRequired).tool_choice === "required" || outputOf(resultWithRequired) === undefined;
    context.expect(
      rule,
      isRequirementKept && countOf(resultWithRequired, "model") > 0,
      `tool_choice required: the request does not require a tool, the model does not call one, and the run ${describeEnd(resultWithRequired)}`,
    );
    const [, second] = resultWithRequired.calls.filter(({ kind }) => kind === "model");
    const isRelaxed = isRequirementKept && second !== undefined && second.about.tool_choice !== "required";
    const relaxedText = "tool_choice required: the second of three requests does not require a tool";
    context.expect(rule, !isRelaxed, relaxedText, "SHOULD");
  },
};

const promptScenario: Scenario = {
  name: "react-prompt",
  says: "the first user message is the filled template, or contains the input if there is no template",
  rules: ["AGF-REACT-006"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-REACT-006";
    const runtime = runtimeOf(context);
    const canary = context.fresh("city").replaceAll("-", "");
    const { integer, pick, word } = drawFrom(context);
    const template = "Tell {{name}} about {{city}} in {{days}} days, {{name}}.";
    // Some languages interpret these characters in a replacement string.
    const name = `${word()} ${pick(["$1", "$$", "\\1", "%s"])}`;
    const days = integer(0, 90);
    const resultWithTemplate = requireSupport(
      await runtime.play({
        document: reactDocument({ user_prompt_template: template }),
        input: { name, city: canary, days },
      }),
    );
    const expectedText = `Tell ${name} about ${canary} in ${days} days, ${name}.`;
    context.expect(
      rule,
      contentOf(firstModelRequest(resultWithTemplate), "user").includes(expectedText),
      `the model is asked ${JSON.stringify(firstModelRequest(resultWithTemplate).messages ?? null)}, without ${JSON.stringify(expectedText)}`,
    );
    const resultWithoutTemplate = requireSupport(
      await runtime.play({ document: reactDocument(), input: { city: canary } }),
    );
    context.expect(
      rule,
      contentOf(firstModelRequest(resultWithoutTemplate)).includes(canary),
      `without a template the model is asked ${JSON.stringify(firstModelRequest(resultWithoutTemplate).messages ?? null)}, without the input`,
    );
  },
};

const unknownSettingScenario: Scenario = {
  name: "react-top-k",
  says: "top_k is ignored if the model does not support it",
  rules: ["AGF-REACT-003"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const order = { document: reactDocument({ top_k: 40 }), input: { q: "tea" } };
    const resultWithKnownSetting = requireSupport(await runtime.play(order));
    if (outputOf(resultWithKnownSetting) === undefined)
      return context.skip(
        "AGF-REACT-003",
        `the run ${describeEnd(resultWithKnownSetting)} even if the model supports top_k`,
      );
    const result = await runtime.play({ ...order, model_lacks: ["top_k"] });
    context.expect(
      "AGF-REACT-003",
      outputOf(result) !== undefined,
      `the model does not support top_k, but the run ${describeEnd(result)}`,
    );
  },
};

/** A model that calls a tool in this many answers, one or more times in each, and then gives its final answer. */
export function actTimes(
  times: number,
  { usage, callsPerAnswer = 1 }: { usage?: Json; callsPerAnswer?: number } = {},
): (about: JsonObject, count: number) => JsonObject {
  const calls = callingAll(Array.from({ length: callsPerAnswer }, () => ["look"]));
  return (_, count) => ({
    ...(count <= times ? calls : { content: "done", usage: { input: 10, output: 5 } }),
    ...(usage === undefined ? {} : { usage }),
  });
}

export const reactScenarios: readonly Scenario[] = [
  ...allowedScenarios,
  roundScenario,
  choiceScenario,
  promptScenario,
  unknownSettingScenario,
];
