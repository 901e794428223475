import { type Breach, type Checker, isObject } from "../../../../schemas/index.ts";
import { payloadsIn } from "./places.ts";

export const serviceCheckers: readonly Checker[] = [
  {
    rule: "SNAP-A2S-004",
    documents: ["service-message"],
    *check(instance, document): Iterable<Breach> {
      if (!isObject(instance) || instance.profile !== "a2s") return;
      for (const { value, at, method, type } of payloadsIn(instance, document)) {
        if (method !== "service/call" || type !== "request") continue;
        const { name, arguments: callArguments = {} } = value;
        if (typeof name !== "string") yield { at, why: "has no text name that says what to call" };
        if (!isObject(callArguments)) yield { at: `${at}/arguments`, why: "is not an object" };
      }
    },
  },
];
