import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import type { Producer, ProducerPolicy, ProducerQuestion } from "../model.ts";

export const isQuestion = (type: unknown, kind: string): boolean => type === `aaep:agent.awaiting.${kind}`;

export const openQuestions = ({ questions }: Producer): ProducerQuestion[] =>
  [...questions.values()].filter(({ isOpen }) => isOpen);

/** The event with a changed producer. */
export function sentBy(event: JsonObject, change: (producer: JsonObject) => JsonObject): JsonObject {
  return { ...event, producer: change(isObject(event.producer) ? event.producer : {}) };
}

export const isOf = ({ type }: JsonObject, name: string): boolean => type === `aaep:agent.${name}`;

/** Replaces some events by others without a number, so that the numbering stays right. */
export function sends(
  concerns: (event: JsonObject) => boolean,
  change: (event: JsonObject) => JsonObject[],
): Partial<ProducerPolicy> {
  return {
    event: ({ sequence_number: _, ...event }) => event,
    frames: (text) => {
      const event = JSON.parse(text) as Json;
      return isObject(event) && concerns(event) ? change(event).map((each) => JSON.stringify(each)) : [text];
    },
  };
}

/** A second event with the envelope of a given event. */
export function like(event: JsonObject, members: JsonObject): JsonObject {
  return { ...event, event_id: `${event.event_id}z`, ...members };
}

/** Changes events of one type. */
export function events(name: string, change: (event: JsonObject) => JsonObject): Partial<ProducerPolicy> {
  return { event: (event) => (isOf(event, name) ? { ...event, ...change(event) } : event) };
}

export function withoutMember(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}

/** Removes a member from events of one type. */
export function lacks(name: string, member: string): Partial<ProducerPolicy> {
  return { event: (event) => (isOf(event, name) ? withoutMember(event, member) : event) };
}
