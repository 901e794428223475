import { type Breach, type Checker, isObject, type JsonObject } from "../../../../schemas/index.ts";
import { onEvents } from "./event.ts";
import { hasTimestampForm, isInstant } from "./instant.ts";

/** Checks of envelope members that the specification restricts more than the schema. */
export const envelopeCheckers: readonly Checker[] = [
  onEvents("AAEP-ENV-015", function* ({ timestamp }) {
    if (typeof timestamp !== "string" || isInstant(timestamp)) return;
    const fault = hasTimestampForm(timestamp)
      ? "which is not a time of the calendar"
      : "which does not have the form of an event's timestamp";
    yield { at: "/timestamp", why: `is "${timestamp}", ${fault}` };
  }),
  onEvents("AAEP-ENV-019", findEmptyNames),
  {
    rule: "AAEP-ENV-019",
    documents: ["subscription.accepted"],
    // An acceptance has the `producer` of the envelope, but the rule is about events, so this is only a warning.
    *check(instance) {
      for (const breach of isObject(instance) ? findEmptyNames(instance) : []) yield { ...breach, level: "SHOULD" };
    },
  },
  onEvents("AAEP-ENV-032", function* ({ aaep_version: version }) {
    if (typeof version !== "string" || publishedVersions.includes(version)) return;
    const isNewer = /^1\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-|$)/.test(version);
    const why = `is "${version}", which has not been published`;
    yield { at: "/aaep_version", why, ...(isNewer ? { level: "SHOULD" } : {}) };
  }),
];

function* findEmptyNames({ producer }: JsonObject): Iterable<Breach> {
  if (!isObject(producer)) return;
  for (const name of ["agent_version", "agent_name", "model"])
    if (producer[name] === "") yield { at: `/producer/${name}`, why: "is empty" };
}

const publishedVersions = ["0.1.0-draft", "1.0.0"];
