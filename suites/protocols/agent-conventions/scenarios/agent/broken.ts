import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawItems, freshCue, freshTask, orchestrator, peer } from "../messages.ts";
import type { AgentPlay } from "./play.ts";

/** An invalid message, and its fault in words. */
export interface BrokenMessage {
  description: string;
  message: JsonObject;
}

interface BrokenKind {
  description: string;
  type: string;
  /** The members in addition to the base, one of them faulty. */
  members(agent: AgentPlay, context: ScenarioContext): JsonObject;
}

const descriptionPayload = { description: "Look at the log." };
const task = (members: JsonObject) => (_: AgentPlay, context: ScenarioContext) => ({
  task_id: freshTask(context),
  ...members,
});
const cue = (members: JsonObject) => (agent: AgentPlay, context: ScenarioContext) => ({
  cue_id: freshCue(context),
  target_agents: [agent.id],
  ...members,
});

/** Each message breaks a schema, but no format, because a validator may treat formats as annotations. */
const taskKinds: readonly BrokenKind[] = [
  {
    description: "an assignment without its task_id",
    type: "task.assignment",
    members: () => ({ task: descriptionPayload }),
  },
  {
    description: "an assignment with an unknown member at its root",
    type: "task.assignment",
    members: task({ task: descriptionPayload, urgent: true }),
  },
  {
    description: "an assignment with a priority in capitals",
    type: "task.assignment",
    members: task({ task: { ...descriptionPayload, priority: "HIGH" } }),
  },
  {
    description: "an assignment with an empty description",
    type: "task.assignment",
    members: task({ task: { description: "" } }),
  },
  {
    description: "an assignment with a task_id in lower case",
    type: "task.assignment",
    members: (_, context) => ({ task_id: freshTask(context).toLowerCase(), task: descriptionPayload }),
  },
  {
    description: "an assignment with a number among its dependencies",
    type: "task.assignment",
    members: (_, context) => ({
      task_id: freshTask(context),
      task: { ...descriptionPayload, dependencies: [freshTask(context), 7] },
    }),
  },
  {
    description: "an update with a percentage of 140",
    type: "task.update",
    members: task({ progress: { percent_complete: 140, status: "on_track" } }),
  },
];
const otherKinds: readonly BrokenKind[] = [
  {
    description: "a warning without its cue_id",
    type: "coord.warning",
    members: ({ id }) => ({ target_agents: [id] }),
  },
  { description: "a warning for an empty list of agents", type: "coord.warning", members: cue({ target_agents: [] }) },
  {
    description: "a warning with its content at its root",
    type: "coord.warning",
    members: cue({ ready_check: true }),
  },
  {
    description: "a stop with an urgency that there is not",
    type: "coord.stop",
    members: cue({ stop_details: { reason: "The branch is frozen.", urgency: "soon" } }),
  },
  {
    description: "a message of a family that there is not",
    type: "review.request",
    members: () => ({ status: "open" }),
  },
  { description: "a status of a kind that there is not", type: "status.ready", members: () => ({ status: "waiting" }) },
  {
    description: "an ack of nothing",
    type: "ack.received",
    members: () => ({ received_details: { processing_status: "queued" } }),
  },
];

/** Invalid messages of different kinds: a message without its task_id from another agent, and others drawn at random. */
export async function brokenFor(agent: AgentPlay, context: ScenarioContext, count: number): Promise<BrokenMessage[]> {
  const [first, ...rest] = taskKinds as [BrokenKind, ...BrokenKind[]];
  const otherKind = rest[0] as BrokenKind;
  const members = [
    ...drawItems(context, rest.slice(1), Math.ceil(count / 2)),
    ...drawItems(context, otherKinds, Math.floor(count / 2)),
  ];
  const brokenMessages: BrokenMessage[] = [];
  for (const [index, kind] of [first, otherKind, ...members].entries()) {
    const from = index % 2 === 0 && !kind.type.startsWith("coord.") ? peer : orchestrator;
    const message = await agent.message(kind.type, kind.members(agent, context), { from });
    brokenMessages.push({ description: kind.description, message });
  }
  return brokenMessages;
}
