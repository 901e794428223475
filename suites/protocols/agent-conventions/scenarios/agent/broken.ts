import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawItems, freshCue, freshTask, orchestrator, peer } from "../messages.ts";
import type { AgentPlay } from "./play.ts";

/** An invalid message, and its fault in words. */
export interface BrokenMessage {
  what: string;
  message: JsonObject;
}

interface BrokenKind {
  what: string;
  type: string;
  /** The members in addition to the base, one of them faulty. */
  more(agent: AgentPlay, context: ScenarioContext): JsonObject;
}

const descriptionPayload = { description: "Look at the log." };
const task = (more: JsonObject) => (_: AgentPlay, context: ScenarioContext) => ({
  task_id: freshTask(context),
  ...more,
});
const cue = (more: JsonObject) => (agent: AgentPlay, context: ScenarioContext) => ({
  cue_id: freshCue(context),
  target_agents: [agent.id],
  ...more,
});

/** Each message breaks a schema, but no format, because a validator may treat formats as annotations. */
const taskKinds: readonly BrokenKind[] = [
  { what: "an assignment without its task_id", type: "task.assignment", more: () => ({ task: descriptionPayload }) },
  {
    what: "an assignment with an unknown member at its root",
    type: "task.assignment",
    more: task({ task: descriptionPayload, urgent: true }),
  },
  {
    what: "an assignment with a priority in capitals",
    type: "task.assignment",
    more: task({ task: { ...descriptionPayload, priority: "HIGH" } }),
  },
  {
    what: "an assignment with an empty description",
    type: "task.assignment",
    more: task({ task: { description: "" } }),
  },
  {
    what: "an assignment with a task_id in lower case",
    type: "task.assignment",
    more: (_, context) => ({ task_id: freshTask(context).toLowerCase(), task: descriptionPayload }),
  },
  {
    what: "an assignment with a number among its dependencies",
    type: "task.assignment",
    more: (_, context) => ({
      task_id: freshTask(context),
      task: { ...descriptionPayload, dependencies: [freshTask(context), 7] },
    }),
  },
  {
    what: "an update with a percentage of 140",
    type: "task.update",
    more: task({ progress: { percent_complete: 140, status: "on_track" } }),
  },
];
const otherKinds: readonly BrokenKind[] = [
  { what: "a warning without its cue_id", type: "coord.warning", more: ({ id }) => ({ target_agents: [id] }) },
  { what: "a warning for an empty list of agents", type: "coord.warning", more: cue({ target_agents: [] }) },
  {
    what: "a warning with its content at its root",
    type: "coord.warning",
    more: cue({ ready_check: true }),
  },
  {
    what: "a stop with an urgency that there is not",
    type: "coord.stop",
    more: cue({ stop_details: { reason: "The branch is frozen.", urgency: "soon" } }),
  },
  { what: "a message of a family that there is not", type: "review.request", more: () => ({ status: "open" }) },
  { what: "a status of a kind that there is not", type: "status.ready", more: () => ({ status: "waiting" }) },
  {
    what: "an ack of nothing",
    type: "ack.received",
    more: () => ({ received_details: { processing_status: "queued" } }),
  },
];

/** Invalid messages of different kinds: a message without its task_id from another agent, and others drawn at random. */
export async function brokenFor(agent: AgentPlay, context: ScenarioContext, count: number): Promise<BrokenMessage[]> {
  const [first, ...rest] = taskKinds as [BrokenKind, ...BrokenKind[]];
  const odd = rest[0] as BrokenKind;
  const more = [
    ...drawItems(context, rest.slice(1), Math.ceil(count / 2)),
    ...drawItems(context, otherKinds, Math.floor(count / 2)),
  ];
  const made: BrokenMessage[] = [];
  for (const [index, kind] of [first, odd, ...more].entries()) {
    const from = index % 2 === 0 && !kind.type.startsWith("coord.") ? peer : orchestrator;
    const message = await agent.message(kind.type, kind.more(agent, context), { from });
    made.push({ what: kind.what, message });
  }
  return made;
}
