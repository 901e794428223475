import type { Say } from "../../../../packs/twins/say.ts";
import type { TwinCourse } from "./course.ts";
import { endings, type Item } from "./items.ts";
import { isHidden } from "./terms.ts";

/** The open calls of a session. */
interface Calls {
  open: Item[];
  ids: Set<unknown>;
  done: Set<unknown>;
}

/** Judges tool calls together with their completions. */
export function tools(say: Say, course: TwinCourse): void {
  const { events, terms, hasGap, isCutShort } = course;
  const isUnseen = isHidden(terms, "tool.invoked", "tool.completed");
  const calls: Calls = { open: [], ids: new Set(), done: new Set() };
  for (const event of events) {
    const { name, message, index } = event;
    if (name === "tool.invoked") noteInvocation(say, calls, event);
    else if (name === "tool.completed") judgeCompletion(say, calls, event, isUnseen || isCutShort || hasGap(-1, index));
    else if (name === "state.changed") {
      const [only, ...others] = calls.open;
      const isAfter = message.to_state !== "calling_tool" && message.to_state !== "awaiting_input";
      if (only !== undefined && others.length === 0 && isAfter && !isUnseen && !hasGap(only.index, index))
        say("moves on before a call is completed", "states-after-calls");
    } else if (endings.has(name)) {
      const left = calls.open.splice(0).filter((call) => !isUnseen && !hasGap(call.index, index));
      for (const _ of left) say("leaves a call open", ...(name === "session.completed" ? [] : ["calls-left-open"]));
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

function noteInvocation(say: Say, { open, ids }: Calls, event: Item): void {
  const { tool_call_id: id, tool } = event.message;
  if (id === undefined) {
    if (open.some(({ message }) => message.tool_call_id === undefined && message.tool === tool))
      say("calls a tool twice at once without ids", "ids-of-parallel-calls");
  } else if (ids.has(id)) say("uses the id of a call again");
  ids.add(id);
  open.push(event);
}

function judgeCompletion(say: Say, { open, done }: Calls, { message }: Item, isExcused: boolean): void {
  const { tool_call_id: id, tool } = message;
  const takeOpen = (fits: (call: Item) => boolean): Item | undefined => {
    const place = open.findIndex(fits);
    return place < 0 ? undefined : open.splice(place, 1)[0];
  };
  const isBare = (call: Item): boolean => call.message.tool_call_id === undefined && call.message.tool === tool;
  if (id === undefined) {
    if (takeOpen(isBare) !== undefined || isExcused) return;
    say(
      takeOpen((call) => call.message.tool === tool) === undefined
        ? "completes what was not called"
        : "loses the id of a call",
    );
    return;
  }
  const call = takeOpen((item) => item.message.tool_call_id === id);
  if (call !== undefined) {
    if (call.message.tool !== tool) say("completes a call of another tool");
  } else if (done.has(id)) say("completes a call twice");
  else if (takeOpen(isBare) !== undefined) say("gives a call its id late", "ids-given-late");
  else if (!isExcused) say("completes what was not called");
  done.add(id);
}
