import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";

/** Finds the first fault in the form of a message from an agent. Other rules judge its payload. */
export async function findEnvelopeFault(context: ScenarioContext, message: JsonObject): Promise<string | undefined> {
  const violations = await context.violations("envelope", message);
  const formFault = violations.find(
    ({ at, site = "", level }) => level === "MUST" && /envelope|common/.test(site) && !at.startsWith("/payload/"),
  );
  return formFault === undefined ? undefined : `${formFault.at === "" ? "the message" : formFault.at} ${formFault.why}`;
}
