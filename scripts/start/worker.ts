import { runPart, type StartPart } from "./part.ts";

// A helper process: runs the parts that it receives, and sends the reports to the main process.
process.on("message", (part: StartPart) => {
  const { protocol } = part;
  void runPart(part).then(
    (report) => process.send?.({ protocol, report }),
    (error: unknown) => process.send?.({ protocol, error: error instanceof Error ? error.message : String(error) }),
  );
});
