import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { isType, isWork, memberObject } from "../../messages.ts";
import { contract } from "./deliveries.ts";
import { type AgentWalkModel, countAttempts, handledIds, readOutbox } from "./model.ts";

/**
 * Expects that ended work did not continue, that handoffs are complete, that the agent handled no message that it must ignore,
 * and that no work began before its go.
 */
export async function compareWithModel(model: AgentWalkModel, must: Must): Promise<void> {
  await readOutbox(model);
  const { tasks, cues, deliveries, hubMessages: messages, canReportWork } = model;
  for (const { id, halt } of tasks) {
    if (halt === undefined) continue;
    const progress = messages
      .slice(halt.messageCount)
      .filter((message) => isWork(message, id) && halt.isLater(message));
    must(halt.rule, progress.length === 0, `${halt.why}, ${progress.length} progress messages for ${id} are sent`);
  }
  for (const message of messages) {
    if (!isType(message, "task.handoff") || !tasks.some(({ id, work }) => work === "handoff" && id === message.task_id))
      continue;
    const passedFacts = memberObject(memberObject(message, "handoff"), "context");
    const missingFacts = contract.filter((name) => passedFacts[name] === undefined).join(" and ");
    must(
      "CONV-HAND-001",
      missingFacts === "",
      `a handoff of ${message.task_id} lacks ${missingFacts}, which the contract requires`,
    );
  }
  if (!canReportWork) return;
  const handled = await handledIds(model);
  for (const { message, flaw, isMisdirected } of deliveries) {
    const isHandled = handled.has(String(message.message_id));
    if (flaw !== undefined) must("CONV-RECV-001", !isHandled, `a message that is invalid (${flaw}) is handled`);
    if (isMisdirected) must("CONV-RECV-002", !isHandled, `a message to ${message.recipient} is handled`);
  }
  for (const cue of cues) {
    const count = await countAttempts(model, cue);
    if (!cue.hasGo) must("CONV-CUE-004", count === 0, `the work on ${cue.id} begins before its go`);
    if (cue.halt !== undefined)
      must(cue.halt.rule, count <= cue.halt.attemptCount, `${cue.halt.why}, the work on ${cue.id} continues`);
  }
}
