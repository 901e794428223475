import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import { allowedIn, refNamed } from "./decisions.ts";
import { agentsIn, delegate, isConsented } from "./delegation.ts";
import { get, memberObject, objects, RunError } from "./order.ts";
import type { Running } from "./running.ts";

/** The names that the model may call: an alias, or the alias of a server or remote agent, a dot and the name there. */
function callableNames(running: Running): string[] {
  const { order, decisions } = running;
  const space = memberObject(order.document, "action_space");
  const local = objects(space.local_tools).map(({ alias }) => String(alias));
  const remoteNames = [...objects(space.mcp_servers), ...objects(space.remote_agents)].flatMap((entry) => {
    const exposed = order.tools?.[String(entry.alias)] ?? [];
    return decisions.exposedNames(exposed, allowedIn(entry)).map((name) => `${entry.alias}.${name}`);
  });
  return [...local, ...agentsIn(running).filter((alias) => !local.includes(alias)), ...remoteNames];
}

function isTool({ order }: Running, name: string): boolean {
  return objects(get(memberObject(order.document, "action_space"), "local_tools")).some(({ alias }) => alias === name);
}

/** Runs a model that calls tools and reads their results until it answers. */
export async function react(running: Running, config: JsonObject): Promise<Json> {
  const { world, decisions, spending, order, context } = running;
  const template = typeof config.user_prompt_template === "string" ? config.user_prompt_template : undefined;
  const messages: JsonObject[] = decisions.opening([
    { role: "system", content: config.instructions ?? "" },
    { role: "user", content: decisions.prompt(template, order.input) },
  ]);
  const settings = decisions.settings(config, order.model_lacks ?? []);
  const choice = decisions.toolChoice(config, 1);
  const callableTools = callableNames(running);
  const tools = choice === "none" ? [] : callableTools;
  for (let round = 1, roundsUsed = 0; roundsUsed < decisions.maxSteps(config); round++) {
    spending.call("model calls");
    const toolChoice = decisions.toolChoice(config, round);
    const request = { messages: [...messages], tools, tool_choice: toolChoice, settings };
    const answer = await world.ask("model", { ...request, ...(context === undefined ? {} : { memory: context }) });
    spending.tokens(memberObject(answer, "usage"));
    const calls = objects(answer.tool_calls);
    if (calls.length === 0) {
      if (toolChoice === "required") throw new RunError("the model calls no tool, though it is required to");
      return answer.content ?? "";
    }
    messages.push({ role: "assistant", content: answer.content ?? "", tool_calls: calls });
    roundsUsed += decisions.roundsOf(calls.length);
    for (const [place, call] of calls.entries()) {
      const checkedNames = decisions.callsUnoffered() ? callableTools : tools;
      const permittedNames = decisions.isChecked("name", place) ? checkedNames : undefined;
      messages.push({ role: "tool", content: await actOn(running, permittedNames, call, place) });
    }
  }
  if (!decisions.asksAtLast()) throw new RunError("the model has not answered in max_steps");
  spending.call("model calls");
  const { content = "" } = await world.ask("model", {
    messages: [...messages],
    tools: [],
    tool_choice: "none",
    settings,
  });
  return content;
}

/** Calls a tool or an agent. If `tools` is undefined, any tool may be called. */
async function actOn(
  running: Running,
  tools: readonly string[] | undefined,
  call: JsonObject,
  place: number,
): Promise<string> {
  const { world, spending, decisions } = running;
  const name = String(call.name);
  if (tools?.includes(name) === false) return decisions.unknownTool(name);
  const args = memberObject(call, "arguments");
  if (agentsIn(running).includes(name) && !isTool(running, name))
    return JSON.stringify(await delegate(running, name, args));
  if (decisions.isChecked("consent", place) && !(await isGranted(running, { name, args, place })))
    return decisions.textAfterRefusal(name);
  if (place === 0 || decisions.countsEach()) spending.call("tool calls");
  const { output = null } = await world.ask("tool", { name, arguments: args });
  return JSON.stringify(output);
}

/** A tool call, with its index among the calls of one answer. */
interface PlacedCall {
  name: string;
  args: JsonObject;
  place: number;
}

async function isGranted(running: Running, { name, args, place }: PlacedCall): Promise<boolean> {
  const { order, decisions } = running;
  const space = memberObject(order.document, "action_space");
  const [alias = "", innerName] = name.split(".");
  const all = innerName === undefined ? [space.local_tools] : [space.mcp_servers, space.remote_agents];
  const entry = all.flatMap(objects).find((each) => each.alias === alias) ?? {};
  const ownApproval = innerName === undefined ? entry.approval : get(refNamed(entry, innerName), "approval");
  const inheritedApproval = innerName === undefined ? undefined : entry.approval;
  if (!decisions.asksForConsent(ownApproval, inheritedApproval, args)) return true;
  return isConsented(running, { name, args, place }, ownApproval ?? inheritedApproval);
}
