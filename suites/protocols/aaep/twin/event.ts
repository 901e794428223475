import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { judgeConfirmation } from "./confirmation.ts";
import { judgeContexts } from "./contexts.ts";
import { judgeMembers } from "./members.ts";
import { judgePayload } from "./payload.ts";
import { findFaults, judgeBySchema } from "./schema.ts";
import { judgeSizes } from "./sizes.ts";
import { isUnusualLeapSecond, strictTimeOf } from "./time.ts";
import { typeName } from "./types.ts";
import { judgeWording } from "./wording.ts";

/** Judges an event as the given document, or else by its type. */
export function judgeEvent(report: ReportFault, received: Json, document?: string, length = 0): void {
  if (!isObject(received)) {
    report("is not an object");
    return;
  }
  const name = typeName(received.type);
  const shortEvent: JsonObject =
    typeof received.type === "string" && name !== undefined ? { ...received, type: `aaep:${name}` } : received;
  if (shortEvent.type !== received.type) report("writes its type as a full URI", "type-written-out");
  const isEnvelope = document === undefined || document === "envelope";
  const coreName = isEnvelope ? name : document;
  judgeShape(report, shortEvent, coreName, document === "envelope");
  judgeContexts(report, shortEvent, name);
  judgeEnvelope(report, shortEvent);
  judgeMembers(report, shortEvent, coreName);
  judgeSizes(report, received, length);
  if (coreName !== undefined) judgePayload(report, shortEvent, coreName);
  if (coreName === "agent.awaiting.confirmation") judgeConfirmation(report, shortEvent);
  judgeWording(report, shortEvent);
}

/** Judges an event by its schemas. An implementation that only judges envelopes need not check the payload. */
function judgeShape(report: ReportFault, event: JsonObject, coreName: string | undefined, isEnvelope: boolean): void {
  if (coreName === undefined || isEnvelope) judgeBySchema(report, "envelope.schema.json", event);
  if (coreName === undefined) return;
  if (!isEnvelope) judgeBySchema(report, `core/${coreName}.schema.json`, event);
  else if (findFaults("envelope.schema.json", event).length === 0)
    judgeBySchema(report, `core/${coreName}.schema.json`, event, "payload-of-an-envelope");
}

/** Date, time, an optional fraction of 3 or 6 digits, and `Z` or an offset. */
const timestampForm =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3}|\.[0-9]{6})?(Z|[+-][0-9]{2}:[0-9]{2})$/;

function judgeEnvelope(
  report: ReportFault,
  { timestamp, producer, aaep_version: version, "@context": context }: JsonObject,
): void {
  if (typeof timestamp === "string") {
    const time = strictTimeOf(timestamp);
    if (!timestampForm.test(timestamp) || time === undefined) report("has a malformed timestamp");
    else if (isUnusualLeapSecond(time)) report("has a leap second on another day", "leap-second-dates");
    else if (timestamp.startsWith("0000")) report("has a timestamp in the year 0", "year-zero");
  }
  for (const name of ["agent_version", "agent_name", "model"])
    if (objectOrEmpty(producer)[name] === "") report(`has a producer with an empty ${name}`);
  if (typeof version === "string" && !["1.0.0", "0.1.0-draft"].includes(version)) {
    if (/^1\.[0-9]+\.[0-9]+$/.test(version)) report("has a later minor version", "later-minor-versions");
    else if (/^1\.[0-9]+\.[0-9]+-/.test(version)) report("has an unknown pre-release version", "later-pre-releases");
    else report("has a version that was never published");
  }
  const coreContexts = listOrEmpty(context).filter((uri) => uri === "https://aaep-protocol.org/context/v1");
  if (coreContexts.length > 1) report("names the core context twice", "core-context-twice");
}
