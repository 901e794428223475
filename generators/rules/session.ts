import { type Json, type JsonObject, TouchstoneError } from "../../schemas/index.ts";
import { entryOf } from "../../suites/protocols/aaep/rules/trace/index.ts";
import { textAt } from "../../suites/protocols/agent-conventions/rules/messages.ts";
import { entryFrom } from "./trace.ts";

/** A recorded session as a trace document has it. */
export interface Session {
  document: string;
  value: Json;
  /** JSON Pointer to the list whose items are the lines. */
  at: string;
}

const sessions: Readonly<Record<string, (lines: Json[]) => Session>> = {
  aaep: (lines) => ({ document: "session", value: lines.map(entryOf), at: "" }),
  "agent-conventions": (lines) => ({
    document: "exchange",
    value: lines.map((line) => entryFrom(line, (message: JsonObject) => textAt(message, "sender") ?? "")),
    at: "",
  }),
  snap: (lines) => ({ document: "task-log", value: { exchanges: lines }, at: "/exchanges" }),
};

/** What was recorded line by line, in the form in which the rules about sequences judge it. Throws a usage error where there are none. */
export function sessionOf(protocol: string, lines: Json[]): Session {
  const make = sessions[protocol];
  if (make !== undefined) return make(lines);
  throw new TouchstoneError("usage", `${protocol} has no rules about sequences of messages`, {
    hint: `sessions are judged of ${Object.keys(sessions).join(", ")}`,
  });
}
