import type { SessionReader } from "../../../../schemas/index.ts";
import { entryOf } from "./trace/index.ts";

export const session: SessionReader = (lines) => ({ document: "session", value: lines.map(entryOf), at: "" });
