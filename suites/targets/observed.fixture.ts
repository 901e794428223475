import type { Endpoint, Observation, Profile, TargetAnswer } from "../../schemas/index.ts";
import type { Response } from "../base/http/send.ts";
import { laterStages, readBy, readExchange } from "./http/reading.ts";

/** For tests: the answer that was observed. Throws what came in its place, as an error with its members. */
export function answerOf(observation: Observation): TargetAnswer {
  if (observation.verdict !== undefined) return observation;
  throw Object.assign(new Error(observation.why), observation);
}

/** For tests: what a response over HTTP is read as, by all stages that look at the response alone. */
export function observationFrom(
  response: Response,
  route: Endpoint,
  http: Profile["http"],
  isSealed = false,
  absent?: string,
): Observation {
  const question = { document: { name: "note" } as never, keep: [], seed: 1 };
  return readBy(laterStages, readExchange({ question, route, http, response, isSealed, absent })) as Observation;
}

/** For tests: the answer that it is read as. Throws what it is read as otherwise. */
export function answerFrom(...read: Parameters<typeof observationFrom>): TargetAnswer {
  return answerOf(observationFrom(...read));
}
