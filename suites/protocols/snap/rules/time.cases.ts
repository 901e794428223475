import type { Cases } from "../../../../schemas/index.ts";
import { done, noon, replaced, request, response, said } from "./messages.ts";

/** What the window of 60 seconds is tried with: the message stays as it is, and the recipient's clock moves. */
export function timeCases(): Cases[] {
  const message = request("message/send", { message: said });
  const answer = response("message/send", { task: done });
  const event = response("message/stream", { taskId: "task-12", progress: 0.5 }, { type: "event" });
  const at = "/message/timestamp";
  const received = (now: number) => ({ message, now });
  return [
    {
      rule: "SNAP-TIME-001",
      document: "reception",
      valid: [
        { name: "at-once", says: "is the time of receipt", at, data: received(noon) },
        { name: "sixty-seconds-old", says: "is 60 seconds before receipt", at, edge: true, data: received(noon + 60) },
        { name: "sixty-seconds-ahead", says: "is 60 seconds after receipt", at, edge: true, data: received(noon - 60) },
        { name: "response", says: "is that of a response, received at once", at, data: { message: answer, now: noon } },
        {
          name: "event",
          says: "is that of an event, 180 seconds before receipt",
          at,
          level: "SHOULD",
          data: { message: event, now: noon + 180 },
        },
      ],
      invalid: [
        { ...replaced("too-old", "is 61 seconds before receipt", "/now", noon + 61), at, edge: true },
        { ...replaced("too-far-ahead", "is 61 seconds after receipt", "/now", noon - 61), at, edge: true },
        { ...replaced("a-day-old", "is a day before receipt", "/now", noon + 86_400), at },
        { ...replaced("a-day-ahead", "is a day after receipt", "/now", noon - 86_400), at },
        {
          ...replaced("in-milliseconds", "is compared with a clock that counts milliseconds", "/now", noon * 1000),
          at,
        },
      ],
      disputed: [
        {
          ...replaced(
            "stale-response",
            "is that of a response, 61 seconds before receipt",
            "/now",
            noon + 61,
            "response",
          ),
          at,
          readings: [
            { verdict: "valid", by: ["SNAP-TIME-001"], why: "the window is demanded for requests" },
            {
              verdict: "invalid",
              by: ["SNAP-TIME-004"],
              why: "a requester should hold signed responses to it as well",
            },
          ],
        },
      ],
    },
  ];
}
