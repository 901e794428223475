import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { list, object, type Say } from "../../../packs/twins/say.ts";
import { confirmation } from "./confirmation.ts";
import { contexts } from "./contexts.ts";
import { members } from "./members.ts";
import { payload } from "./payload.ts";
import { faults, hold } from "./schema.ts";
import { sizes } from "./sizes.ts";
import { isOddLeap, strictTimeOf } from "./time.ts";
import { typeName } from "./types.ts";
import { wording } from "./wording.ts";

/** Judges an event as the given document, or else by its type. */
export function event(say: Say, given: Json, document?: string, length = 0): void {
  if (!isObject(given)) {
    say("is no object");
    return;
  }
  const name = typeName(given.type);
  const whole: JsonObject =
    typeof given.type === "string" && name !== undefined ? { ...given, type: `aaep:${name}` } : given;
  if (whole.type !== given.type) say("writes its type out", "type-written-out");
  const isEnvelope = document === undefined || document === "envelope";
  const core = isEnvelope ? name : document;
  judgeShape(say, whole, core, document === "envelope");
  contexts(say, whole, name);
  envelope(say, whole);
  members(say, whole, core);
  sizes(say, given, length);
  if (core !== undefined) payload(say, whole, core);
  if (core === "agent.awaiting.confirmation") confirmation(say, whole);
  wording(say, whole);
}

/** An implementation that judges only envelopes need not check the requirements of the event's type. */
function judgeShape(say: Say, whole: JsonObject, core: string | undefined, isEnvelope: boolean): void {
  if (core === undefined || isEnvelope) hold(say, "envelope.schema.json", whole);
  if (core === undefined) return;
  if (!isEnvelope) hold(say, `core/${core}.schema.json`, whole);
  else if (faults("envelope.schema.json", whole).length === 0)
    hold(say, `core/${core}.schema.json`, whole, "payload-of-an-envelope");
}

const stamp =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3}|\.[0-9]{6})?(Z|[+-][0-9]{2}:[0-9]{2})$/;

function envelope(say: Say, { timestamp, producer, aaep_version: version, "@context": context }: JsonObject): void {
  if (typeof timestamp === "string") {
    const moment = strictTimeOf(timestamp);
    if (!stamp.test(timestamp) || moment === undefined) say("has a timestamp in another form");
    else if (isOddLeap(moment)) say("has a leap second on another day", "leap-second-dates");
    else if (timestamp.startsWith("0000")) say("has a timestamp in the year 0", "year-zero");
  }
  for (const name of ["agent_version", "agent_name", "model"])
    if (object(producer)[name] === "") say(`has a producer with an empty ${name}`);
  if (typeof version === "string" && !["1.0.0", "0.1.0-draft"].includes(version)) {
    if (/^1\.[0-9]+\.[0-9]+$/.test(version)) say("is of a later minor version", "later-minor-versions");
    else if (/^1\.[0-9]+\.[0-9]+-/.test(version)) say("is of an unknown pre-release", "later-pre-releases");
    else say("is of a version that was never published");
  }
  const core = list(context).filter((each) => each === "https://aaep-protocol.org/context/v1");
  if (core.length > 1) say("names the core context twice", "core-context-twice");
}
