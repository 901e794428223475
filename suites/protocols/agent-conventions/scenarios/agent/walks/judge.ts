import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { isType, isWork, memberObject } from "../../messages.ts";
import { contract } from "./letters.ts";
import { type AgentWalkModel, countAttempts, handledIds, hearMessages } from "./model.ts";

/** Expects that ignored messages had no effect, ended work did not continue, no work began before a go, and handoffs are complete. */
export async function compare(model: AgentWalkModel, must: Must): Promise<void> {
  await hearMessages(model);
  const { tasks, cues, arrived: arrivedLetters, heard: messages, canReportWork } = model;
  for (const { id, halt } of tasks) {
    if (halt === undefined) continue;
    const progress = messages.slice(halt.heardCount).filter((each) => isWork(each, id) && halt.isLater(each));
    must(halt.rule, progress.length === 0, `${halt.why} ${progress.length} messages of progress of ${id} come`);
  }
  for (const each of messages) {
    if (!isType(each, "task.handoff") || !tasks.some(({ id, work }) => work === "handoff" && id === each.task_id))
      continue;
    const passedFacts = memberObject(memberObject(each, "handoff"), "context");
    const missingFacts = contract.filter((name) => passedFacts[name] === undefined).join(" and ");
    must(
      "CONV-HAND-001",
      missingFacts === "",
      `a handoff of ${each.task_id} lacks ${missingFacts}, which the contract asks for`,
    );
  }
  if (!canReportWork) return;
  const all = await handledIds(model);
  for (const { message, flaw, isMisdirected } of arrivedLetters) {
    const isHandled = all.has(String(message.message_id));
    if (flaw !== undefined) must("CONV-RECV-001", !isHandled, `a message that is invalid (${flaw}) is handled`);
    if (isMisdirected) must("CONV-RECV-002", !isHandled, `a message to ${message.recipient} is handled`);
  }
  for (const cue of cues) {
    const count = await countAttempts(model, cue);
    if (!cue.hasGo) must("CONV-CUE-004", count === 0, `the work on ${cue.id} begins before its go`);
    if (cue.halt !== undefined)
      must(cue.halt.rule, count <= cue.halt.attemptCount, `${cue.halt.why} the work on ${cue.id} goes on`);
  }
}
