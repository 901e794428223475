import { type HttpReply, isObject, type ScenarioContext } from "../../../../schemas/index.ts";

/** Restarts the hub, and waits until it answers again. */
export async function restart(context: ScenarioContext): Promise<void> {
  await context.hook("restart", {});
  for (let attempt = 0; attempt < 20; attempt++) {
    const reply = await context.send({ method: "GET", path: "/.well-known/ahcp", as: "nobody" }).catch(() => undefined);
    if (reply !== undefined && reply.status < 500) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Whether a message can be read. */
export function isKnown({ status, json }: HttpReply): boolean {
  return status === 200 && isObject(json);
}

/** The reason to skip a rule if the message no longer exists. */
export const goneReason = "the message no longer exists";
