import type { Checker } from "../../../../schemas/index.ts";
import { member, specificOf, textAt } from "./messages.ts";

const documents = ["status"] as const;

const stateChecker: Checker = {
  rule: "CONV-STAT-003",
  documents,
  *check(message) {
    const status = textAt(message, "status");
    const specific = specificOf(message);
    if (status !== undefined && specific !== "" && status !== specific)
      yield { at: "/status", why: `is ${status}, but the message is status.${specific}` };
  },
};

const reasonChecker: Checker = {
  rule: "CONV-STAT-004",
  documents,
  *check(message) {
    const status = textAt(message, "status");
    const context = member(message, "context");
    const has = (name: string): boolean => member(context, name) !== undefined;
    const at = context === undefined ? "" : "/context";
    if (status === "blocked" && !has("blocked_reason") && !has("blocked_by"))
      yield { at, why: "does not name the blocker" };
    if (status === "busy" && !has("current_task")) yield { at, why: "does not name the current task" };
    const previousStatus = textAt(context, "previous_status");
    if (previousStatus !== undefined && previousStatus === status)
      yield { at: "/context/previous_status", why: `is ${previousStatus}, the same as the current status` };
  },
};

export const stateCheckers: readonly Checker[] = [stateChecker, reasonChecker];
