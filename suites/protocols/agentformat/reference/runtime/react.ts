import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import type { ActiveRun } from "./active-run.ts";
import { allowedIn, refNamed } from "./decisions.ts";
import { delegate, obtainConsent, subAgentAliases } from "./delegation.ts";
import { get, memberObject, objects, RunError } from "./order.ts";

/** The names that the model may call: an alias, or `ALIAS.NAME` for a tool of a server or a skill of a remote agent. */
function callableNames(run: ActiveRun): string[] {
  const { order, decisions } = run;
  const space = memberObject(order.document, "action_space");
  const localNames = objects(space.local_tools).map(({ alias }) => String(alias));
  const remoteNames = [...objects(space.mcp_servers), ...objects(space.remote_agents)].flatMap((entry) => {
    const exposed = order.tools?.[String(entry.alias)] ?? [];
    return decisions.exposedNames(exposed, allowedIn(entry)).map((name) => `${entry.alias}.${name}`);
  });
  return [...localNames, ...subAgentAliases(run).filter((alias) => !localNames.includes(alias)), ...remoteNames];
}

function isLocalTool({ order }: ActiveRun, name: string): boolean {
  return objects(get(memberObject(order.document, "action_space"), "local_tools")).some(({ alias }) => alias === name);
}

/** Runs a model that calls tools and reads their results until it answers. */
export async function react(run: ActiveRun, config: JsonObject): Promise<Json> {
  const { world, decisions, spending, order, context } = run;
  const template = typeof config.user_prompt_template === "string" ? config.user_prompt_template : undefined;
  const messages: JsonObject[] = decisions.opening([
    { role: "system", content: config.instructions ?? "" },
    { role: "user", content: decisions.prompt(template, order.input) },
  ]);
  const settings = decisions.settings(config, order.model_lacks ?? []);
  const firstToolChoice = decisions.toolChoice(config, 1);
  const allNames = callableNames(run);
  const tools = firstToolChoice === "none" ? [] : allNames;
  for (let round = 1, roundsUsed = 0; roundsUsed < decisions.maxSteps(config); round++) {
    spending.countCall("model calls");
    const toolChoice = decisions.toolChoice(config, round);
    const request = { messages: [...messages], tools, tool_choice: toolChoice, settings };
    const answer = await world.ask("model", { ...request, ...(context === undefined ? {} : { memory: context }) });
    spending.addTokens(memberObject(answer, "usage"));
    const calls = objects(answer.tool_calls);
    if (calls.length === 0) {
      if (toolChoice === "required") throw new RunError("the model must call a tool, but calls none");
      return answer.content ?? "";
    }
    messages.push({ role: "assistant", content: answer.content ?? "", tool_calls: calls });
    roundsUsed += decisions.roundsOf(calls.length);
    for (const [callIndex, call] of calls.entries()) {
      const checkedNames = decisions.callsUnoffered() ? allNames : tools;
      const permittedNames = decisions.isChecked("name", callIndex) ? checkedNames : undefined;
      messages.push({ role: "tool", content: await makeCall(run, permittedNames, call, callIndex) });
    }
  }
  if (!decisions.asksForFinalAnswer()) throw new RunError("the model has not answered within max_steps");
  spending.countCall("model calls");
  const { content = "" } = await world.ask("model", {
    messages: [...messages],
    tools: [],
    tool_choice: "none",
    settings,
  });
  return content;
}

/** Makes a call that the model requests, and returns the text for the model. If `tools` is undefined, any tool may be called. */
async function makeCall(
  run: ActiveRun,
  tools: readonly string[] | undefined,
  call: JsonObject,
  callIndex: number,
): Promise<string> {
  const { world, spending, decisions } = run;
  const name = String(call.name);
  if (tools?.includes(name) === false) return decisions.unknownTool(name);
  const args = memberObject(call, "arguments");
  if (subAgentAliases(run).includes(name) && !isLocalTool(run, name))
    return JSON.stringify(await delegate(run, name, args));
  if (decisions.isChecked("consent", callIndex) && !(await mayCall(run, { name, args, callIndex })))
    return decisions.textAfterRefusal(name);
  if (callIndex === 0 || decisions.countsEveryToolCall()) spending.countCall("tool calls");
  const { output = null } = await world.ask("tool", { name, arguments: args });
  return JSON.stringify(output);
}

/** A tool call, with its index among the calls of one answer. */
interface IndexedCall {
  name: string;
  args: JsonObject;
  callIndex: number;
}

async function mayCall(run: ActiveRun, { name, args, callIndex }: IndexedCall): Promise<boolean> {
  const { order, decisions } = run;
  const space = memberObject(order.document, "action_space");
  const [alias = "", innerName] = name.split(".");
  const lists = innerName === undefined ? [space.local_tools] : [space.mcp_servers, space.remote_agents];
  const entry = lists.flatMap(objects).find((listed) => listed.alias === alias) ?? {};
  const ownApproval = innerName === undefined ? entry.approval : get(refNamed(entry, innerName), "approval");
  const inheritedApproval = innerName === undefined ? undefined : entry.approval;
  if (!decisions.asksForConsent(ownApproval, inheritedApproval, args)) return true;
  return obtainConsent(run, { name, args, callIndex }, ownApproval ?? inheritedApproval);
}
