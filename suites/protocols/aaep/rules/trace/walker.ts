import { walk as walkModel } from "../../../../../generators/index.ts";
import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import { createSessionModel } from "./model.ts";
import { addTimes, numberEvents } from "./session.ts";

/** A step, its number of repetitions, its subscriptions, the mark of a numbered step, and its second on the recorder's clock. */
const stepPattern = /^([a-z]+)(?:\*(\d+))?(?:@([a-z,]+))?(#)?(?::([\d.]+))?$/;

/**
 * Records steps of the model, such as `start think update*3 complete`. `start@a,b` is recorded on each of these subscriptions,
 * `start#` has the next sequence number of its session, and `start:0.5` is recorded half a second after the beginning.
 */
export function walk(stepList: string): Json {
  const steps = stepList.split(" ").flatMap((stepText) => {
    const [, name, repetitions = "1", subscriptions, mark, seconds] = stepPattern.exec(stepText) ?? [];
    if (name === undefined) throw new Error(`"${stepText}" is not a step`);
    return Array.from({ length: Number(repetitions) }, () => ({ name, on: subscriptions?.split(","), mark, seconds }));
  });
  const names = steps.map(({ name }) => name);
  const entries = walkModel(createSessionModel(), names);
  const numberedEntries = steps.some(({ mark }) => mark !== undefined) ? numberEvents(entries) : entries;
  return steps.flatMap(({ on = [undefined], mark, seconds }, index) => {
    const { from, message } = (mark === undefined ? entries : numberedEntries)[index] as JsonObject;
    const copies = on.map(
      (subscription) =>
        ({ from, ...(subscription === undefined ? {} : { subscription }), message }) as unknown as JsonObject,
    );
    return seconds === undefined ? copies : addTimes(copies, () => Number(seconds));
  });
}
