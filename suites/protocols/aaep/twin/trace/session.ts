import type { Json } from "../../../../../schemas/index.ts";
import { listOrEmpty, type ReportFault } from "../../../../packs/twins/say.ts";
import { findFaults } from "../schema.ts";
import { judgeConsent } from "./consent.ts";
import { coursesOf } from "./course.ts";
import { judgeSubscription } from "./flow.ts";
import { judgeEmittedTypes, judgeIds } from "./ids.ts";
import { parseRecording } from "./items.ts";
import { judgeLifecycle, judgeOrder } from "./life.ts";
import { judgeOutputs } from "./outputs.ts";
import { judgeSingleMessage, reporterOfSingleMessages } from "./singles.ts";
import { judgeStates } from "./states.ts";
import { termsOf } from "./terms.ts";
import { judgeToolCalls } from "./tools.ts";

const sessionSchema = "https://touchstone.example/schemas/aaep/1.0/records/session.schema.json";

/** Judges the messages of a recording, separately and together. */
export function judgeTrace(report: ReportFault, value: Json, isStrict: (freedom: string) => boolean): void {
  const [fault] = findFaults(sessionSchema, value);
  if (fault !== undefined) {
    report(fault);
    return;
  }
  const recording = parseRecording(listOrEmpty(value));
  for (const item of recording.items) judgeSingleMessage(report, item);
  const terms = termsOf(report, reporterOfSingleMessages(report), recording);
  judgeIds(report, recording);
  judgeEmittedTypes(report, recording);
  const events = recording.items.filter(({ isEvent }) => isEvent);
  for (const course of coursesOf(recording, terms, isStrict)) {
    judgeLifecycle(report, course);
    judgeOrder(report, course, events);
    judgeStates(report, course, recording);
    judgeToolCalls(report, course);
    judgeOutputs(report, course);
  }
  for (const term of terms) judgeSubscription(report, recording, term);
  judgeConsent(report, recording, terms, isStrict);
}
