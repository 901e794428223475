import type { Json } from "../../../../../schemas/index.ts";
import { list, type Say } from "../../../../packs/twins/say.ts";
import { faults } from "../schema.ts";
import { consent } from "./consent.ts";
import { coursesOf } from "./course.ts";
import { flow } from "./flow.ts";
import { ids, judgeEmitted } from "./ids.ts";
import { recordedIn } from "./items.ts";
import { life, order } from "./life.ts";
import { outputs } from "./outputs.ts";
import { sayAside, sayOfMessage } from "./singles.ts";
import { states } from "./states.ts";
import { termsOf } from "./terms.ts";
import { tools } from "./tools.ts";

const schema = "https://touchstone.example/schemas/aaep/1.0/records/session.schema.json";

/** Judges the messages of a recording, separately and together. */
export function trace(say: Say, value: Json, isStrict: (freedom: string) => boolean): void {
  const [fault] = faults(schema, value);
  if (fault !== undefined) {
    say(fault);
    return;
  }
  const recorded = recordedIn(list(value));
  for (const item of recorded.items) sayOfMessage(say, item);
  const terms = termsOf(say, sayAside(say), recorded);
  ids(say, recorded);
  judgeEmitted(say, recorded);
  const events = recorded.items.filter(({ isEvent }) => isEvent);
  for (const course of coursesOf(recorded, terms, isStrict)) {
    life(say, course);
    order(say, course, events);
    states(say, course, recorded);
    tools(say, course);
    outputs(say, course);
  }
  for (const term of terms) flow(say, recorded, term);
  consent(say, recorded, terms, isStrict);
}
