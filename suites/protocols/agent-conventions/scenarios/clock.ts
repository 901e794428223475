import { TargetSkip } from "../../../../schemas/index.ts";
import type { Ask } from "../../../running/scenarios/way/asking.ts";

/** Whether a party has a clock that the suite can advance. */
export async function hasClock(ask: Ask): Promise<boolean> {
  try {
    await ask("clock", {});
    return true;
  } catch (error) {
    if (error instanceof TargetSkip) return false;
    throw error;
  }
}
