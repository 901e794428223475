import { runPart, type StartPart } from "./part.ts";

// A process beside the main one, which shows the results: it runs the parts that it receives.
process.on("message", (part: StartPart) => {
  const { protocol } = part;
  void runPart(part).then(
    (report) => process.send?.({ protocol, report }),
    (error: unknown) => process.send?.({ protocol, error: error instanceof Error ? error.message : String(error) }),
  );
});
