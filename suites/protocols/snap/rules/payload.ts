import { type Breach, type Checker, isObject } from "../../../../schemas/index.ts";
import { whyNoInstant } from "./instant.ts";
import { growDocument } from "./large.ts";
import { megabyte } from "./part.ts";
import { documentsWith, errorsIn, payloadsIn, responsesIn, tasksIn } from "./places.ts";
import { snapProtocol } from "./shapes.ts";
import { bytesOf, depthOf } from "./size.ts";

/** The maximum depth of a payload. */
const maxLevels = 10;

export const payloadCheckers: readonly Checker[] = [
  {
    rule: "SNAP-PAY-004",
    documents: documentsWith.response,
    *check(instance, document): Iterable<Breach> {
      for (const { value, at } of responsesIn(instance, document)) {
        const members = ["task", "error"].filter((name) => Object.hasOwn(value, name));
        if (members.length === 0) yield { at, why: "has neither a task nor an error" };
        if (members.length === 2) yield { at, why: "has a task and an error", level: "SHOULD" };
      }
    },
  },
  {
    rule: "SNAP-PAY-010",
    documents: documentsWith.task,
    *check(instance, document) {
      for (const { value, at } of tasksIn(instance, document)) {
        const { status } = value;
        const timestamp = isObject(status) ? status.timestamp : undefined;
        const why = typeof timestamp === "string" ? whyNoInstant(timestamp) : undefined;
        if (why !== undefined) yield { at: `${at}/status/timestamp`, why };
      }
    },
  },
  {
    rule: "SNAP-PAY-013",
    documents: documentsWith.error,
    *check(instance, document) {
      const knownCodes = new Set(snapProtocol().profile.errors?.map(({ code }) => code));
      for (const { value, at } of errorsIn(instance, document)) {
        const { code } = value;
        if (typeof code === "number" && !knownCodes.has(code))
          yield { at: `${at}/code`, why: `is ${code}, which is not in the list of codes` };
      }
    },
  },
  {
    rule: "SNAP-PAY-018",
    documents: [...documentsWith.payload, "large"],
    *check(instance, document) {
      for (const { value, at } of payloadsIn(...growDocument(instance, document))) {
        if (depthOf(value, maxLevels + 1) > maxLevels) yield { at, why: `is nested deeper than ${maxLevels} levels` };
        const size = bytesOf(value) ?? 0;
        if (size > megabyte) yield { at, why: `has ${size} bytes, more than 1 MB` };
      }
    },
  },
];
