import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import type { Producer, ProducerPolicy, ProducerQuestion } from "../model.ts";

export const isQuestion = (type: unknown, kind: string): boolean => type === `aaep:agent.awaiting.${kind}`;

export const openQuestions = ({ questions }: Producer): ProducerQuestion[] =>
  [...questions.values()].filter(({ isOpen }) => isOpen);

/** Changes the producer of an event. */
export function changeProducer(event: JsonObject, change: (producer: JsonObject) => JsonObject): JsonObject {
  return { ...event, producer: change(isObject(event.producer) ? event.producer : {}) };
}

export const isEventOf = ({ type }: JsonObject, name: string): boolean => type === `aaep:agent.${name}`;

/** Replaces some events. Removes all sequence numbers, which would otherwise have gaps. */
export function replaceEvents(
  matches: (event: JsonObject) => boolean,
  change: (event: JsonObject) => JsonObject[],
): Partial<ProducerPolicy> {
  return {
    changeEvent: ({ sequence_number: _, ...event }) => event,
    framesOf: (text) => {
      const event = JSON.parse(text) as Json;
      return isObject(event) && matches(event)
        ? change(event).map((changedEvent) => JSON.stringify(changedEvent))
        : [text];
    },
  };
}

/** Copies an event with a new id and the given members. */
export function copyOf(event: JsonObject, members: JsonObject): JsonObject {
  return { ...event, event_id: `${event.event_id}z`, ...members };
}

/** Changes events of one type. */
export function changeEvents(name: string, change: (event: JsonObject) => JsonObject): Partial<ProducerPolicy> {
  return { changeEvent: (event) => (isEventOf(event, name) ? { ...event, ...change(event) } : event) };
}

export function withoutMember(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...otherMembers } = object;
  return otherMembers;
}

/** Removes a member from events of one type. */
export function removeMember(name: string, member: string): Partial<ProducerPolicy> {
  return { changeEvent: (event) => (isEventOf(event, name) ? withoutMember(event, member) : event) };
}
