import { entryFrom } from "../../../../generators/index.ts";
import type { SessionReader } from "../../../../schemas/index.ts";
import { textAt } from "./messages.ts";

export const session: SessionReader = (lines) => ({
  document: "exchange",
  value: lines.map((line) => entryFrom(line, (message) => textAt(message, "sender") ?? "")),
  at: "",
});
