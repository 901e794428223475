import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";

/** The first fault in the form of a message that an agent sends, or undefined. Its payload is the matter of other rules. */
export async function judgesEnvelope(context: ScenarioContext, message: JsonObject): Promise<string | undefined> {
  const found = await context.violations("envelope", message);
  const form = found.find(
    ({ at, site = "", level }) => level === "MUST" && /envelope|common/.test(site) && !at.startsWith("/payload/"),
  );
  return form === undefined ? undefined : `${form.at === "" ? "the message" : form.at} ${form.why}`;
}
