import { entryFrom } from "../../../../generators/index.ts";
import { isObject, type Json, type RecordedReader, type SessionReader } from "../../../../schemas/index.ts";
import { textAt } from "./messages.ts";

/** Each agent polls for its own messages. */
export const isUnordered = true;

export const session: SessionReader = (lines) => {
  const value = lines.map((line) => entryFrom(line, (message) => textAt(message, "sender") ?? ""));
  return {
    document: "exchange",
    value,
    at: "",
    messages: value.flatMap((entry, line) =>
      isObject(entry) && isObject(entry.message)
        ? [{ message: entry.message, line, at: `/${line}/message`, from: textAt(entry, "from") ?? "" }]
        : [],
    ),
  };
};

/** The messages that the hook `deliver` passed to a party, and those that its hook `outbox` returned. */
export const recorded: RecordedReader = ({ message }) => {
  if (!isObject(message)) return [];
  const { hook, given: input, answer } = message;
  if (hook === "deliver" && isObject(input)) return entriesOf([input.message ?? null]);
  return isObject(answer) && Array.isArray(answer.messages) ? entriesOf(answer.messages) : [];
};

function entriesOf(messages: readonly Json[]): Json[] {
  return messages.flatMap((message) =>
    isObject(message) && typeof message.sender === "string" ? [{ from: message.sender, message }] : [],
  );
}
