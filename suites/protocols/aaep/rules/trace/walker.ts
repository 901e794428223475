import { walk as walked } from "../../../../../generators/index.ts";
import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import { model } from "./model.ts";
import { addTimes, numberEvents } from "./session.ts";

/** A step, its number of repetitions, its subscriptions, whether it is numbered, and its second on the recorder's clock. */
const word = /^([a-z]+)(?:\*(\d+))?(?:@([a-z,]+))?(#)?(?::([\d.]+))?$/;

/**
 * The recording of steps of the model, such as `start think update*3 complete`. `start@a,b` is recorded on each of these subscriptions, `start#` gets
 * the next sequence number of its session, and `start:0.5` is recorded half a second after the beginning.
 */
export function walk(text: string): Json {
  const steps = text.split(" ").flatMap((each) => {
    const [, name, times = "1", on, mark, seconds] = word.exec(each) ?? [];
    if (name === undefined) throw new Error(`"${each}" is no step`);
    return Array.from({ length: Number(times) }, () => ({ name, on: on?.split(","), mark, seconds }));
  });
  const names = steps.map(({ name }) => name);
  const entries = walked(model(), names);
  const counted = steps.some(({ mark }) => mark !== undefined) ? numberEvents(entries) : entries;
  return steps.flatMap(({ on = [undefined], mark, seconds }, index) => {
    const { from, message } = (mark === undefined ? entries : counted)[index] as JsonObject;
    const made = on.map(
      (subscription) =>
        ({ from, ...(subscription === undefined ? {} : { subscription }), message }) as unknown as JsonObject,
    );
    return seconds === undefined ? made : addTimes(made, () => Number(seconds));
  });
}
