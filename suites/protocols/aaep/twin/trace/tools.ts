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
export function judgeToolCalls(say: ReportFault, course: TwinCourse): void {
  const { events, terms, hasGap, isCutShort } = course;
  const isUnseen = isHidden(terms, "tool.invoked", "tool.completed");
  const calls: SessionCalls = { openCalls: [], callIds: new Set(), completedIds: new Set() };
  for (const event of events) {
    const { name, message, index } = event;
    if (name === "tool.invoked") noteInvocation(say, calls, event);
    else if (name === "tool.completed") judgeCompletion(say, calls, event, isUnseen || isCutShort || hasGap(-1, index));
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
        say("changes its state before a call is completed", "states-after-calls");
    } else if (endings.has(name)) {
      const callsLeftOpen = calls.openCalls.splice(0).filter((call) => !isUnseen && !hasGap(call.index, index));
      for (const _ of callsLeftOpen)
        say("never completes a call", ...(name === "session.completed" ? [] : ["calls-left-open"]));
    }
  }
  if (
    events.some(
      ({ name }, index) =>
        name === "handoff.requested" && events.slice(index).some((item) => item.name === "tool.invoked"),
    )
  )
    say("calls a tool after a handoff", "work-after-handoffs");
}

function noteInvocation(say: ReportFault, { openCalls, callIds }: SessionCalls, event: Item): void {
  const { tool_call_id: id, tool } = event.message;
  if (id === undefined) {
    if (openCalls.some(({ message }) => message.tool_call_id === undefined && message.tool === tool))
      say("calls a tool twice at once without ids", "ids-of-parallel-calls");
  } else if (callIds.has(id)) say("reuses the id of a call");
  callIds.add(id);
  openCalls.push(event);
}

function judgeCompletion(
  say: ReportFault,
  { openCalls, completedIds }: SessionCalls,
  { message }: Item,
  isExcused: boolean,
): void {
  const { tool_call_id: id, tool } = message;
  const removeOpenCall = (matchesCall: (call: Item) => boolean): Item | undefined => {
    const place = openCalls.findIndex(matchesCall);
    return place < 0 ? undefined : openCalls.splice(place, 1)[0];
  };
  const isSameToolWithoutId = (call: Item): boolean =>
    call.message.tool_call_id === undefined && call.message.tool === tool;
  if (id === undefined) {
    if (removeOpenCall(isSameToolWithoutId) !== undefined || isExcused) return;
    say(
      removeOpenCall((call) => call.message.tool === tool) === undefined
        ? "completes a call that was not announced"
        : "omits the id of a call",
    );
    return;
  }
  const call = removeOpenCall((item) => item.message.tool_call_id === id);
  if (call !== undefined) {
    if (call.message.tool !== tool) say("completes a call of another tool");
  } else if (completedIds.has(id)) say("completes a call twice");
  else if (removeOpenCall(isSameToolWithoutId) !== undefined)
    say("gives an id that the call did not have", "ids-given-late");
  else if (!isExcused) say("completes a call that was not announced");
  completedIds.add(id);
}
