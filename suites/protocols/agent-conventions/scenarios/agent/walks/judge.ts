import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { isType, isWork, memberObject } from "../../messages.ts";
import { contract } from "./letters.ts";
import { type AgentWalkModel, handledIds, hearMessages, tries } from "./model.ts";

/** Expects that ignored messages had no effect, ended work did not continue, no work began before a go, and handoffs are complete. */
export async function compare(model: AgentWalkModel, must: Must): Promise<void> {
  await hearMessages(model);
  const { tasks, cues, arrived, heard, hasWorked } = model;
  for (const { id, halt } of tasks) {
    if (halt === undefined) continue;
    const progress = heard.slice(halt.heard).filter((each) => isWork(each, id) && halt.isLater(each));
    must(halt.rule, progress.length === 0, `${halt.why} ${progress.length} messages of progress of ${id} come`);
  }
  for (const each of heard) {
    if (!isType(each, "task.handoff") || !tasks.some(({ id, work }) => work === "handoff" && id === each.task_id))
      continue;
    const passed = memberObject(memberObject(each, "handoff"), "context");
    const lacking = contract.filter((name) => passed[name] === undefined).join(" and ");
    must("CONV-HAND-001", lacking === "", `a handoff of ${each.task_id} lacks ${lacking}, which the contract asks for`);
  }
  if (!hasWorked) return;
  const all = await handledIds(model);
  for (const { message, flaw, isMisdirected } of arrived) {
    const isHandled = all.has(String(message.message_id));
    if (flaw !== undefined) must("CONV-RECV-001", !isHandled, `a message that is invalid (${flaw}) is handled`);
    if (isMisdirected) must("CONV-RECV-002", !isHandled, `a message to ${message.recipient} is handled`);
  }
  for (const cue of cues) {
    const count = await tries(model, cue);
    if (!cue.hasGo) must("CONV-CUE-004", count === 0, `the work on ${cue.id} begins before its go`);
    if (cue.halt !== undefined)
      must(cue.halt.rule, count <= cue.halt.tries, `${cue.halt.why} the work on ${cue.id} goes on`);
  }
}
