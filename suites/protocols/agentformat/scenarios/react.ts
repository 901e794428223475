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
  endOf,
  type FinishedRun,
  mustBeSupported,
  namesOf,
  outputOf,
  type Runtime,
  runtimeOf,
} from "./runtime.ts";

/** The first request to the model. */
function firstAsked({ calls }: Pick<FinishedRun, "calls">): JsonObject {
  return calls.find(({ kind }) => kind === "model")?.about ?? {};
}

/** The texts of messages by role; without a role, of all messages. */
function textsOf({ messages }: JsonObject, role?: string): string {
  const all = Array.isArray(messages) ? messages.filter(isObject) : [];
  return all
    .filter((each) => role === undefined || each.role === role)
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content ?? "")))
    .join("\n");
}

const isOffered = ({ tools }: JsonObject): boolean => Array.isArray(tools) && tools.length > 0;

const allowedScenarios = (["server", "remote agent"] as const).map((ownerKind): Scenario => {
  const isServer = ownerKind === "server";
  return {
    name: isServer ? "allowed-tools" : "allowed-skills",
    says: `of a ${ownerKind} with a list of allowed names, which can be called and nothing else`,
    rules: ["AGF-ACT-008"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const runtime = runtimeOf(context);
      const draw = drawFrom(context);
      const [readTool = "", list = "", write = ""] = draw.aliases(3);
      const allowedTools = [readTool, list];
      const space = isServer
        ? { mcp_servers: [{ alias: "files", allowed_tools: [readTool, { name: list }] }] }
        : { remote_agents: [{ alias: "files", allowed_skills: [readTool, { id: list }] }] };
      const document = reactDocument({}, { action_space: space });
      const barred = [write, `${readTool}s`, readTool.slice(0, -1)];
      for (const name of [...allowedTools, ...barred]) {
        const order = { document, input: { q: "tea" }, tools: { files: draw.shuffled([...allowedTools, ...barred]) } };
        const result = mustBeSupported(
          await runtime.play(order, {
            model: (_, count) => (count === 1 ? callOf(`files.${name}`) : { content: "done" }),
          }),
        );
        const isCalled = [...namesOf(result, "tool"), ...namesOf(result, "agent")].includes(`files.${name}`);
        const why = isCalled
          ? `files.${name} is called, which the list does not have`
          : `files.${name} is not called, which the list has`;
        context.expect("AGF-ACT-008", isCalled === allowedTools.includes(name), `${why}; the run ${endOf(result)}`);
      }
      await callAfterAllowed(context, runtime, { document, allowed: allowedTools, barred });
    },
  };
});

/** An answer with an allowed call, followed by a forbidden one. */
async function callAfterAllowed(
  context: ScenarioContext,
  runtime: Runtime,
  {
    document,
    allowed: allowedTools,
    barred,
  }: { document: JsonObject; allowed: readonly string[]; barred: readonly string[] },
): Promise<void> {
  const order = { document, input: { q: "tea" }, tools: { files: [...allowedTools, ...barred] } };
  for (const name of barred) {
    const answer = callingAll([allowedTools[0] ?? "", name].map((each) => [`files.${each}`]));
    const result = await runtime.play(order, { model: (_, count) => (count === 1 ? answer : { content: "done" }) });
    const isCalled = [...namesOf(result, "tool"), ...namesOf(result, "agent")].includes(`files.${name}`);
    const why = `files.${name} is called after files.${allowedTools[0]} in one answer, although the list does not contain it`;
    context.expect("AGF-ACT-008", !isCalled, `${why}; the run ${endOf(result)}`);
  }
}

const roundScenario: Scenario = {
  name: "react-steps",
  says: "the model gets at most max_steps rounds",
  rules: ["AGF-REACT-004"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const { integer } = drawFrom(context);
    for (const max of [integer(2, 6), 1, undefined, 12]) {
      const document = reactDocument(max === undefined ? {} : { max_steps: max });
      const result = mustBeSupported(
        await runtime.play({ document, input: { q: "tea" } }, { model: () => callOf("look") }),
      );
      const [modelCalls, toolCalls] = [countOf(result, "model"), countOf(result, "tool")];
      const maxRounds = max ?? 10;
      if (toolCalls === 0 && maxRounds > 1) {
        context.skip("AGF-REACT-004", `max_steps ${max ?? "absent"}: no tool is called; the run ${endOf(result)}`);
        continue;
      }
      // After the last round, the model may still be asked for its answer.
      const isBounded = toolCalls <= maxRounds && modelCalls <= maxRounds + 1;
      context.expect(
        "AGF-REACT-004",
        isBounded,
        `max_steps ${max ?? "absent, which means 10"}: the model is asked ${modelCalls} times and acts ${toolCalls} times; the run ${endOf(result)}`,
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
    const free = mustBeSupported(await runtime.play({ document: reactDocument(), input }, { model }));
    if (countOf(free, "tool") === 0)
      return context.skip(rule, `without a tool_choice no tool is called either; the run ${endOf(free)}`);
    const none = mustBeSupported(
      await runtime.play({ document: reactDocument({ tool_choice: "none" }), input }, { model }),
    );
    context.expect(
      rule,
      countOf(none, "model") > 0,
      `tool_choice none: the model is not asked; the run ${endOf(none)}`,
    );
    context.expect(rule, countOf(none, "tool") === 0, "tool_choice none: tools are offered to the model, and called");
    // A model may ask for a tool that was not offered; nothing forbids that.
    const stray = (_: JsonObject, count: number): JsonObject => (count === 1 ? callOf("look") : { content: "done" });
    const strayed = await runtime.play({ document: reactDocument({ tool_choice: "none" }), input }, { model: stray });
    const why = "tool_choice none: a model asks for a tool anyway, and it is called";
    context.expect(rule, countOf(strayed, "tool") === 0, why, "SHOULD");
    const resultWithRequired = mustBeSupported(
      await runtime.play(
        { document: reactDocument({ tool_choice: "required", max_steps: 3 }), input },
        {
          model: (about) => (about.tool_choice === "required" ? callOf("look") : { content: "done" }),
        },
      ),
    );
    const isDemanded =
      firstAsked(resultWithRequired).tool_choice === "required" || outputOf(resultWithRequired) === undefined;
    context.expect(
      rule,
      isDemanded && countOf(resultWithRequired, "model") > 0,
      `tool_choice required: the model's request does not say so, it calls no tool, and the run ${endOf(resultWithRequired)}`,
    );
    const [, second] = resultWithRequired.calls.filter(({ kind }) => kind === "model");
    const isRelaxed = isDemanded && second !== undefined && second.about.tool_choice !== "required";
    const relaxed = "tool_choice required: the request of the second of three steps does not say so";
    context.expect(rule, !isRelaxed, relaxed, "SHOULD");
  },
};

const promptScenario: Scenario = {
  name: "react-prompt",
  says: "the first user message comes from the template, otherwise from the input",
  rules: ["AGF-REACT-006"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-REACT-006";
    const runtime = runtimeOf(context);
    const canary = context.fresh("city").replaceAll("-", "");
    const { integer, one: pick, word } = drawFrom(context);
    const template = "Tell {{name}} about {{city}} in {{days}} days, {{name}}.";
    // Some languages interpret these characters when they replace texts.
    const name = `${word()} ${pick(["$1", "$$", "\\1", "%s"])}`;
    const days = integer(0, 90);
    const filled = mustBeSupported(
      await runtime.play({
        document: reactDocument({ user_prompt_template: template }),
        input: { name, city: canary, days },
      }),
    );
    const expectedText = `Tell ${name} about ${canary} in ${days} days, ${name}.`;
    context.expect(
      rule,
      textsOf(firstAsked(filled), "user").includes(expectedText),
      `the model is asked ${JSON.stringify(firstAsked(filled).messages ?? null)}, without ${JSON.stringify(expectedText)}`,
    );
    const resultWithoutInstructions = mustBeSupported(
      await runtime.play({ document: reactDocument(), input: { city: canary } }),
    );
    context.expect(
      rule,
      textsOf(firstAsked(resultWithoutInstructions)).includes(canary),
      `without a template the model is asked ${JSON.stringify(firstAsked(resultWithoutInstructions).messages ?? null)}, without the input`,
    );
  },
};

const unknownSettingScenario: Scenario = {
  name: "react-top-k",
  says: "top_k is ignored if the model does not know it",
  rules: ["AGF-REACT-003"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const runtime = runtimeOf(context);
    const order = { document: reactDocument({ top_k: 40 }), input: { q: "tea" } };
    const resultWithKnownSetting = mustBeSupported(await runtime.play(order));
    if (outputOf(resultWithKnownSetting) === undefined)
      return context.skip(
        "AGF-REACT-003",
        `with a model that knows top_k, the run ${endOf(resultWithKnownSetting)} as well`,
      );
    const result = await runtime.play({ ...order, model_lacks: ["top_k"] });
    context.expect(
      "AGF-REACT-003",
      outputOf(result) !== undefined,
      `the model does not know top_k, and the run ${endOf(result)}`,
    );
  },
};

/** A model that calls a tool in this many answers, once in each or as often as `each` says, and then answers. */
export function actTimes(
  times: number,
  { usage, each = 1 }: { usage?: Json; each?: number } = {},
): (about: JsonObject, count: number) => JsonObject {
  const calls = callingAll(Array.from({ length: each }, () => ["look"]));
  return (_, count) => ({
    ...(count <= times ? calls : { content: "done", usage: { input: 10, output: 5 } }),
    ...(usage === undefined ? {} : { usage }),
  });
}

export const react: readonly Scenario[] = [
  ...allowedScenarios,
  roundScenario,
  choiceScenario,
  promptScenario,
  unknownSettingScenario,
];
