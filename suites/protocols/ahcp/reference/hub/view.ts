import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { RunningHub } from "./hub.ts";
import { blockOf } from "./lifecycle.ts";
import type { StoredMessage } from "./store.ts";

const viewMembers = ["type", "title", "body", "priority", "tags", "context", "created_at", "expires_at"] as const;

/** The options that a hub adds to a confirm without options. */
const approveOrDeny: Json = [
  { value: "approve", label: "Approve" },
  { value: "deny", label: "Deny" },
];

/** The view of a message for a resolver: escaped text, without the members that are only for the agent. */
export function viewOf({ policy }: RunningHub, { id, status, message }: StoredMessage): JsonObject {
  policy.onView(message);
  const { mode, options, schema, permissions, instructions, checklist, verification } = blockOf(message);
  const offeredOptions = options ?? (mode === "confirm" ? approveOrDeny : undefined);
  const members = { mode, options: offeredOptions, schema, permissions, instructions, checklist, verification };
  return {
    id,
    status,
    agent: isObject(message.agent) ? (message.agent.id ?? "") : "",
    ...Object.fromEntries(viewMembers.flatMap((name) => (message[name] === undefined ? [] : [[name, message[name]]]))),
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
    html: `<h1>${escapeText(message.title)}</h1><pre>${escapeText(message.body ?? "")}</pre>`,
    ...policy.extraViewMembers(message),
  } as JsonObject;
}

/** Tags, links and images are escaped: nothing can be followed or loaded. */
function escapeText(text: Json | undefined): string {
  return String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
