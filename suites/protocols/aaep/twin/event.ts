import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { judgeConfirmation } from "./confirmation.ts";
import { judgeContexts } from "./contexts.ts";
import { judgeMembers } from "./members.ts";
import { judgePayload } from "./payload.ts";
import { faults, judgeBySchema } from "./schema.ts";
import { judgeSizes } from "./sizes.ts";
import { isUnusualLeapSecond, strictTimeOf } from "./time.ts";
import { typeName } from "./types.ts";
import { judgeWording } from "./wording.ts";

/** Judges an event as the given document, or else by its type. */
export function judgeEvent(say: ReportFault, received: Json, document?: string, length = 0): void {
  if (!isObject(received)) {
    say("is not an object");
    return;
  }
  const name = typeName(received.type);
  const shortened: JsonObject =
    typeof received.type === "string" && name !== undefined ? { ...received, type: `aaep:${name}` } : received;
  if (shortened.type !== received.type) say("writes its type as a full URI", "type-written-out");
  const isEnvelope = document === undefined || document === "envelope";
  const core = isEnvelope ? name : document;
  judgeShape(say, shortened, core, document === "envelope");
  judgeContexts(say, shortened, name);
  judgeEnvelope(say, shortened);
  judgeMembers(say, shortened, core);
  judgeSizes(say, received, length);
  if (core !== undefined) judgePayload(say, shortened, core);
  if (core === "agent.awaiting.confirmation") judgeConfirmation(say, shortened);
  judgeWording(say, shortened);
}

/** Judges an event by its schemas. An implementation that only judges envelopes need not check the payload. */
function judgeShape(say: ReportFault, event: JsonObject, core: string | undefined, isEnvelope: boolean): void {
  if (core === undefined || isEnvelope) judgeBySchema(say, "envelope.schema.json", event);
  if (core === undefined) return;
  if (!isEnvelope) judgeBySchema(say, `core/${core}.schema.json`, event);
  else if (faults("envelope.schema.json", event).length === 0)
    judgeBySchema(say, `core/${core}.schema.json`, event, "payload-of-an-envelope");
}

const timestampForm =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3}|\.[0-9]{6})?(Z|[+-][0-9]{2}:[0-9]{2})$/;

function judgeEnvelope(
  say: ReportFault,
  { timestamp, producer, aaep_version: version, "@context": context }: JsonObject,
): void {
  if (typeof timestamp === "string") {
    const time = strictTimeOf(timestamp);
    if (!timestampForm.test(timestamp) || time === undefined) say("has a timestamp in another form");
    else if (isUnusualLeapSecond(time)) say("has a leap second on another day", "leap-second-dates");
    else if (timestamp.startsWith("0000")) say("has a timestamp in the year 0", "year-zero");
  }
  for (const name of ["agent_version", "agent_name", "model"])
    if (objectOrEmpty(producer)[name] === "") say(`has a producer with an empty ${name}`);
  if (typeof version === "string" && !["1.0.0", "0.1.0-draft"].includes(version)) {
    if (/^1\.[0-9]+\.[0-9]+$/.test(version)) say("has a later minor version", "later-minor-versions");
    else if (/^1\.[0-9]+\.[0-9]+-/.test(version)) say("has an unknown pre-release version", "later-pre-releases");
    else say("has a version that was never published");
  }
  const coreContexts = listOrEmpty(context).filter((uri) => uri === "https://aaep-protocol.org/context/v1");
  if (coreContexts.length > 1) say("names the core context twice", "core-context-twice");
}
