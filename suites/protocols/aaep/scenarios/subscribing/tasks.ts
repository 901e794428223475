/** The tasks for which sessions are started. */
export type SessionTask = "plain" | "irreversible" | "reversible" | "clarification" | "hanging" | "stream" | "large";

/** A user's request for each task. */
export const taskRequests: Readonly<Record<SessionTask, string>> = {
  plain: "What is my balance?",
  irreversible: "Transfer 120 euros to the harbour office.",
  reversible: "Note Friday in my calendar.",
  clarification: "Book a berth, but let me choose the day.",
  hanging: "Ask the tide service, which does not answer.",
  stream: "Tell me all about the harbour.",
  large: "Tell me all about the harbour in one piece.",
};
