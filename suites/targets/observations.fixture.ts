import type { Endpoint, Observation, Profile, TargetAnswer } from "../../schemas/index.ts";
import type { Response } from "../base/http/send.ts";
import { laterStages, readBy, readExchange } from "./http/reading.ts";

/** Returns the observed answer. Throws any other observation, as an error with its members. */
export function answerOf(observation: Observation): TargetAnswer {
  if (observation.verdict !== undefined) return observation;
  throw Object.assign(new Error(observation.why), observation);
}

/** Reads a response over HTTP with all stages that consider only the response. */
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

/** Reads the answer in a response. Throws any other observation. */
export function answerFrom(...response: Parameters<typeof observationFrom>): TargetAnswer {
  return answerOf(observationFrom(...response));
}
