import { type Document, pointer, type Question, type Vector } from "../../../schemas/index.ts";
import { hash } from "./hash.ts";

/** Creates the question that a target receives: the instance of a vector, without its id or verdict. */
export function questionOf(vector: Vector, document: Document, seed: number): Question {
  const question: Question = { document, keep: keptPlaces(vector, document), seed: (seed ^ hash(vector.id)) >>> 0 };
  const { data, raw, base64 } = vector;
  if (data !== undefined) question.data = data;
  else if (raw !== undefined) question.text = raw;
  else question.bytes = Buffer.from(base64 ?? "", "base64");
  if (vector.needs.includes("yaml-text")) question.yaml = true;
  // A vector about a schema assertion has no other fault, so it is signed; in other vectors a wrong signature may be the fault.
  if (vector.site !== undefined) question.sign = true;
  return question;
}

function keptPlaces({ at, change = [], valid }: Vector, { fresh = [], endpoint }: Document): string[] {
  const places: string[] = [];
  // Only members are kept, never the whole document.
  const addPlace = (place: string): void => {
    if (place !== "" && !places.includes(place)) places.push(place);
  };
  for (const { path } of change) addPlace(path);
  // If the whole message was replaced, any member may be at fault, even one that would otherwise be made fresh.
  const isWhole = change.some(({ path }) => path === "");
  if (valid === false && isWhole) for (const freshness of fresh) addPlace(freshness.at);
  if (valid === false && (isWhole || change.length === 0) && (at ?? "") === "" && endpoint?.carries !== undefined)
    for (const { in: location, name } of endpoint.parameters ?? []) addPlace(pointer.append(`/${location}`, name));
  if (at !== undefined) addPlace(at);
  // The deadlines in vectors are long past, so a live server would refuse a valid message that keeps one.
  const isDeadline = (place: string): boolean =>
    fresh.some(({ at: freshAt, offset = 0 }) => offset > 0 && freshAt === place);
  return valid === true && places.length > 0 ? places.filter((place) => !isDeadline(place)) : places;
}
