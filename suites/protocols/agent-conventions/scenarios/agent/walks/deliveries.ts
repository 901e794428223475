import type { JsonObject, ScenarioContext } from "../../../../../../schemas/index.ts";
import { freshCue, freshTask, peer } from "../../messages.ts";
import type { AgentPlay } from "../play.ts";
import type { AgentWalkModel, Cue, Delivery, Task } from "./model.ts";
import type { Flaw, WalkStep, Work } from "./step.ts";

/** A step that makes a new message. */
export type SendStep = Exclude<WalkStep, { do: "again" | "deliver" | "wait" }>;

/** Facts that the contract of the next agent requires. */
export const contract = ["branch", "schema"] as const;

/** Makes the message of a step, and adds its task or cue to the model. */
export async function deliveryFor(context: ScenarioContext, model: AgentWalkModel, step: SendStep): Promise<Delivery> {
  const { agent, tasks, cues } = model;
  switch (step.do) {
    case "assign":
      return assignment(context, model, step.work);
    case "misaddressed":
      return {
        message: await makeAssignment(context, agent, { task: freshTask(context), to: peer }),
        isMisdirected: true,
      };
    case "broken":
      return {
        message: addFlaw(await makeAssignment(context, agent, { task: freshTask(context) }), step.flaw),
        flaw: step.flaw,
      };
    case "stray": {
      const task: Task = { id: freshTask(context), work: "plain", isKnown: false };
      tasks.push(task);
      return update(agent, task);
    }
    case "update":
      return update(agent, tasks[step.index] as Task);
    case "complain": {
      const description = context.fresh("Something went wrong with");
      return { message: await agent.message("escalation.error", { category: "validation", description }) };
    }
    case "stop":
      return { message: await agent.makeStop() };
    case "warn": {
      const cue: Cue = { id: freshCue(context), phase: "new", hasGo: false };
      cues.push(cue);
      await agent.ask("assign", { cue_id: cue.id, work: "steady", everyMs: agent.beat });
      return sendCue(agent, cue, "warning");
    }
    default:
      return sendCue(agent, cues[step.index] as Cue, step.do);
  }
}

async function update(agent: AgentPlay, task: Task): Promise<Delivery> {
  const progress = { percent_complete: 10, status: "on_track" };
  return { message: await agent.message("task.update", { task_id: task.id, progress }), task };
}

async function assignment(context: ScenarioContext, { agent, tasks }: AgentWalkModel, work: Work): Promise<Delivery> {
  const facts = Object.fromEntries(contract.map((name) => [name, context.fresh(name)]));
  const task: Task = { id: freshTask(context), work, isKnown: false };
  tasks.push(task);
  await agent.ask("assign", { task_id: task.id, everyMs: agent.beat, ...workOrderOf(work) });
  const members = work === "handoff" ? { context: facts } : {};
  return { message: await makeAssignment(context, agent, { task: task.id, to: agent.id, members }), task };
}

/** The members that describe the work for the hook `assign`. */
function workOrderOf(work: Work): JsonObject {
  if (work === "plain") return {};
  return work === "handoff" ? { work, to: peer, contract: [...contract] } : { work };
}

function makeAssignment(
  context: ScenarioContext,
  agent: AgentPlay,
  { task, to = agent.id, members = {} }: { task: string; to?: string; members?: JsonObject },
): Promise<JsonObject> {
  const description = context.fresh("Look at the log of");
  return agent.message("task.assignment", { task_id: task, task: { description, ...members } }, { to });
}

function addFlaw({ task_id: task = "", ...otherMembers }: JsonObject, flaw: Flaw): JsonObject {
  return flaw === "lacking" ? otherMembers : { ...otherMembers, task_id: task, urgent: true };
}

async function sendCue(agent: AgentPlay, cue: Cue, phase: "warning" | "standby" | "go"): Promise<Delivery> {
  const details = phase === "go" ? { go_details: { execution_type: "immediate" } } : {};
  const members = { cue_id: cue.id, target_agents: [agent.id], ...details };
  return { message: await agent.message(`coord.${phase}`, members), cue };
}
