import { type Breach, type Checker, isObject, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { type EventName, nameOf, onEvents } from "./event.ts";

/** Checks of event members that must be present, or agree with each other. */
export const payloadCheckers: readonly Checker[] = [
  {
    rule: "AAEP-ENV-010",
    documents: ["envelope"],
    *check(instance): Iterable<Breach> {
      const name = isObject(instance) ? nameOf(instance) : undefined;
      if (name === undefined) return;
      // An implementation that only judges the envelope may accept the event.
      for (const member of requiredMembersOf(name))
        if (!Object.hasOwn(instance as JsonObject, member))
          yield { at: "", why: `has no ${member}, which every ${name} has`, level: "MAY" };
    },
  },
  onEvents(
    "AAEP-PROG-002",
    function* ({ progress }) {
      const { step, total_steps: total } = isObject(progress) ? progress : {};
      if (typeof step === "number" && typeof total === "number" && step > total)
        yield { at: "/progress/step", why: `is ${step} of ${total}` };
    },
    ["agent.progress.updated"],
  ),
];

const requiredByEvent = new Map<EventName, readonly string[]>();

/** Lists the members that the schema of an event requires. */
function requiredMembersOf(name: EventName): readonly string[] {
  if (!requiredByEvent.has(name)) {
    const { profile, schemas } = protocolNamed("aaep");
    const schema = schemas[profile.documents.findIndex((document) => document.name === name)] as JsonObject;
    requiredByEvent.set(name, (schema.required ?? []) as string[]);
  }
  return requiredByEvent.get(name) ?? [];
}
