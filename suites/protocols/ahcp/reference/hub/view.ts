import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { RunningHub } from "./hub.ts";
import { blockOf } from "./lifecycle.ts";
import type { StoredMessage } from "./store.ts";

const viewMembers = ["type", "title", "body", "priority", "tags", "context", "created_at", "expires_at"] as const;

/** The options of a confirm that lists none. */
const approveOrDeny: Json = [
  { value: "approve", label: "Approve" },
  { value: "deny", label: "Deny" },
];

/** The view of a message for a resolver: with escaped HTML, and without the members that are only for the agent. */
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
    html: `<h1>${escapeHtml(message.title)}</h1><pre>${escapeHtml(message.body ?? "")}</pre>`,
    ...policy.extraViewMembers(message),
  } as JsonObject;
}

/** Escapes HTML, so that a message cannot contain links, images or scripts. */
function escapeHtml(text: Json | undefined): string {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
