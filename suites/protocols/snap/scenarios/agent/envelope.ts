import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";

/** The first fault in the form of a message from an agent, or undefined. Other rules judge its payload. */
export async function judgesEnvelope(context: ScenarioContext, message: JsonObject): Promise<string | undefined> {
  const found = await context.violations("envelope", message);
  const form = found.find(
    ({ at, site = "", level }) => level === "MUST" && /envelope|common/.test(site) && !at.startsWith("/payload/"),
  );
  return form === undefined ? undefined : `${form.at === "" ? "the message" : form.at} ${form.why}`;
}
