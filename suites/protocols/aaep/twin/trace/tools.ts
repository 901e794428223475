import type { ReportFault } from "../../../../packs/twins/say.ts";
import type { TwinCourse } from "./course.ts";
import { endings, type Item } from "./items.ts";
import { isHidden } from "./terms.ts";

/** The open calls of a session. */
interface SessionCalls {
  openCalls: Item[];
  callIds: Set<unknown>;
  completedIds: Set<unknown>;
}

/** Judges tool calls together with their completions. */
export function judgeToolCalls(report: ReportFault, course: TwinCourse): void {
  const { events, terms, hasGap, isCutShort } = course;
  const isUnseen = isHidden(terms, "tool.invoked", "tool.completed");
  const calls: SessionCalls = { openCalls: [], callIds: new Set(), completedIds: new Set() };
  for (const event of events) {
    const { name, message, index } = event;
    if (name === "tool.invoked") noteInvocation(report, calls, event);
    else if (name === "tool.completed")
      judgeCompletion(report, calls, event, isUnseen || isCutShort || hasGap(-1, index));
    else if (name === "state.changed") {
      const [onlyCall, ...otherCalls] = calls.openCalls;
      const leavesCall = message.to_state !== "calling_tool" && message.to_state !== "awaiting_input";
      if (
        onlyCall !== undefined &&
        otherCalls.length === 0 &&
        leavesCall &&
        !isUnseen &&
        !hasGap(onlyCall.index, index)
      )
        report("changes its state before a call is completed", "states-after-calls");
    } else if (endings.has(name)) {
      const callsLeftOpen = calls.openCalls.splice(0).filter((call) => !isUnseen && !hasGap(call.index, index));
      for (const _ of callsLeftOpen)
        report("never completes a call", ...(name === "session.completed" ? [] : ["calls-left-open"]));
    }
  }
  const handoffIndex = events.findIndex(({ name }) => name === "handoff.requested");
  if (handoffIndex !== -1 && events.slice(handoffIndex).some(({ name }) => name === "tool.invoked"))
    report("calls a tool after a handoff", "work-after-handoffs");
}

function noteInvocation(report: ReportFault, { openCalls, callIds }: SessionCalls, event: Item): void {
  const { tool_call_id: id, tool } = event.message;
  if (id === undefined) {
    if (openCalls.some(({ message }) => message.tool_call_id === undefined && message.tool === tool))
      report("makes simultaneous calls of a tool without ids", "ids-of-parallel-calls");
  } else if (callIds.has(id)) report("reuses the id of a call");
  callIds.add(id);
  openCalls.push(event);
}

function judgeCompletion(
  report: ReportFault,
  { openCalls, completedIds }: SessionCalls,
  { message }: Item,
  isExcused: boolean,
): void {
  const { tool_call_id: id, tool } = message;
  const removeOpenCall = (matchesCall: (call: Item) => boolean): Item | undefined => {
    const callIndex = openCalls.findIndex(matchesCall);
    return callIndex < 0 ? undefined : openCalls.splice(callIndex, 1)[0];
  };
  const isSameToolWithoutId = (call: Item): boolean =>
    call.message.tool_call_id === undefined && call.message.tool === tool;
  if (id === undefined) {
    if (removeOpenCall(isSameToolWithoutId) !== undefined || isExcused) return;
    report(
      removeOpenCall((call) => call.message.tool === tool) === undefined
        ? "completes a call that was not announced"
        : "omits the id of a call",
    );
    return;
  }
  const call = removeOpenCall((item) => item.message.tool_call_id === id);
  if (call !== undefined) {
    if (call.message.tool !== tool) report("completes a call of another tool");
  } else if (completedIds.has(id)) report("completes a call twice");
  else if (removeOpenCall(isSameToolWithoutId) !== undefined)
    report("completes a call with an id that the call did not have", "ids-given-late");
  else if (!isExcused) report("completes a call that was not announced");
  completedIds.add(id);
}
