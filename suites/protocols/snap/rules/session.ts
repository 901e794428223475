import type { SessionReader } from "../../../../schemas/index.ts";

export const session: SessionReader = (lines) => ({
  document: "task-log",
  value: { exchanges: lines },
  at: "/exchanges",
});
