import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawItems, freshCue, freshTask, orchestrator, peer } from "../messages.ts";
import type { AgentPlay } from "./play.ts";

/** An invalid message with a description of its fault. */
export interface BrokenMessage {
  description: string;
  message: JsonObject;
}

interface BrokenKind {
  description: string;
  type: string;
  /** The members besides the base members; one is invalid or missing. */
  members(agent: AgentPlay, context: ScenarioContext): JsonObject;
}

const taskDetails = { description: "Look at the log." };
const taskMembers = (drawnKinds: JsonObject) => (_: AgentPlay, context: ScenarioContext) => ({
  task_id: freshTask(context),
  ...drawnKinds,
});
const cueMembers = (members: JsonObject) => (agent: AgentPlay, context: ScenarioContext) => ({
  cue_id: freshCue(context),
  target_agents: [agent.id],
  ...members,
});

/** Every message breaks a schema. None breaks a format, because a validator may treat formats as annotations. */
const taskKinds: readonly BrokenKind[] = [
  {
    description: "an assignment without its task_id",
    type: "task.assignment",
    members: () => ({ task: taskDetails }),
  },
  {
    description: "an assignment with an unknown member at its root",
    type: "task.assignment",
    members: taskMembers({ task: taskDetails, urgent: true }),
  },
  {
    description: "an assignment with a priority in capitals",
    type: "task.assignment",
    members: taskMembers({ task: { ...taskDetails, priority: "HIGH" } }),
  },
  {
    description: "an assignment with an empty description",
    type: "task.assignment",
    members: taskMembers({ task: { description: "" } }),
  },
  {
    description: "an assignment with a task_id in lower case",
    type: "task.assignment",
    members: (_, context) => ({ task_id: freshTask(context).toLowerCase(), task: taskDetails }),
  },
  {
    description: "an assignment with a number among its dependencies",
    type: "task.assignment",
    members: (_, context) => ({
      task_id: freshTask(context),
      task: { ...taskDetails, dependencies: [freshTask(context), 7] },
    }),
  },
  {
    description: "an update with a percentage of 140",
    type: "task.update",
    members: taskMembers({ progress: { percent_complete: 140, status: "on_track" } }),
  },
];
const otherKinds: readonly BrokenKind[] = [
  {
    description: "a warning without its cue_id",
    type: "coord.warning",
    members: ({ id }) => ({ target_agents: [id] }),
  },
  {
    description: "a warning for an empty list of agents",
    type: "coord.warning",
    members: cueMembers({ target_agents: [] }),
  },
  {
    description: "a warning with its content at its root",
    type: "coord.warning",
    members: cueMembers({ ready_check: true }),
  },
  {
    description: "a stop with an unknown urgency",
    type: "coord.stop",
    members: cueMembers({ stop_details: { reason: "The branch is frozen.", urgency: "soon" } }),
  },
  {
    description: "a message of an unknown category",
    type: "review.request",
    members: () => ({ status: "open" }),
  },
  { description: "a status with an unknown value", type: "status.ready", members: () => ({ status: "waiting" }) },
  {
    description: "an ack without a message id",
    type: "ack.received",
    members: () => ({ received_details: { processing_status: "queued" } }),
  },
];

/** Invalid messages: one without its task_id from another agent, one with an unknown member, and others drawn at random. */
export async function brokenMessagesFor(
  agent: AgentPlay,
  context: ScenarioContext,
  count: number,
): Promise<BrokenMessage[]> {
  const [first, ...otherTaskKinds] = taskKinds as [BrokenKind, ...BrokenKind[]];
  const second = otherTaskKinds[0] as BrokenKind;
  const members = [
    ...drawItems(context, otherTaskKinds.slice(1), Math.ceil(count / 2)),
    ...drawItems(context, otherKinds, Math.floor(count / 2)),
  ];
  const brokenMessages: BrokenMessage[] = [];
  for (const [index, kind] of [first, second, ...members].entries()) {
    const from = index % 2 === 0 && !kind.type.startsWith("coord.") ? peer : orchestrator;
    const message = await agent.message(kind.type, kind.members(agent, context), { from });
    brokenMessages.push({ description: kind.description, message });
  }
  return brokenMessages;
}
