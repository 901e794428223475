import { entryFrom } from "../../../../generators/index.ts";
import { isObject, type SessionReader } from "../../../../schemas/index.ts";
import { textAt } from "./messages.ts";

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
